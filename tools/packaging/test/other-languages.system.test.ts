import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { workspaceRoot } from "../public-packages.ts";

/** What the wheel may take, in bytes. */
const largestWheel = 400_000;

const licence = readFileSync(join(workspaceRoot, "LICENSE"), "utf8");

test.each(["client-python", "client-go"])("%s has the licence", (name) => {
  expect(readFileSync(join(workspaceRoot, "packages", name, "LICENSE"), "utf8")).toBe(licence);
});

/** Whether a program is on this machine. */
function has(program: string, question: string): boolean {
  try {
    execFileSync(program, [question], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

// Building fetches what it builds with.
describe.skipIf(process.env["LOCI_PACKAGES_EVERYWHERE"] === undefined)(
  "outside the workspace",
  { timeout: 600_000 },
  () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "loci-other-languages-"));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    /** Takes a client away from here. Building leaves nothing in the workspace. */
    function copyOf(name: string): string {
      const copy = join(folder, name);
      const leftBehind = new Set([".venv", "build", "__pycache__"]);
      cpSync(join(workspaceRoot, "packages", name), copy, {
        recursive: true,
        filter: (file) => !leftBehind.has(basename(file)),
      });
      return copy;
    }

    test.skipIf(!has("python3", "--version"))("the Python wheel is small, typed and licensed", () => {
      const wheels = join(folder, "wheels");
      execFileSync("python3", [
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        wheels,
        copyOf("client-python"),
      ]);
      const [wheel = ""] = globSync(join(wheels, "loci_client-*-py3-none-any.whl"));
      console.log(`${basename(wheel)}: ${Math.ceil(statSync(wheel).size / 1000)} kB, of ${largestWheel / 1000}`);
      expect(statSync(wheel).size).toBeLessThan(largestWheel);
      const script = "import sys, zipfile; print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))";
      const files = execFileSync("python3", ["-c", script, wheel], { encoding: "utf8" }).trim().split("\n");
      expect(files).toEqual(expect.arrayContaining(["loci_client/__init__.py", "loci_client/py.typed"]));
      expect(files).toContainEqual(expect.stringMatching(/dist-info\/licenses\/LICENSE$/));
      expect(files.filter((file) => !/^loci_client(?:\/|-[\d.]+\.dist-info\/)/.test(file))).toEqual([]);
    });

    test.skipIf(!has("go", "version"))("a Go program of somebody else builds with the module", () => {
      const module = copyOf("client-go");
      const program = join(folder, "program");
      cpSync(join(workspaceRoot, "docs/examples/remember-and-assemble.go"), join(program, "main.go"));
      const go = (...command: readonly string[]): string =>
        execFileSync("go", command, { cwd: program, encoding: "utf8", env: { ...process.env, GOFLAGS: "-mod=mod" } });
      writeFileSync(
        join(program, "go.mod"),
        `module program\n\ngo 1.26.0\n\nrequire loci/client-go v0.1.0\n\nreplace loci/client-go => ${module}\n`,
      );
      go("build", "-o", "program", ".");
      expect(statSync(join(program, "program")).size).toBeGreaterThan(1e6);
    });
  },
);
