import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeDataDirectory } from "../src/make-data-directory.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-make-directory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("all that is missing is made, and what is there stays", () => {
  const path = join(folder, "a/b/data");
  makeDataDirectory(path);
  makeDataDirectory(path);
  expect(existsSync(path)).toBe(true);
});

test.skipIf(process.platform === "win32")("what is made is its owner's alone", () => {
  makeDataDirectory(join(folder, "a/b/data"));
  for (const made of ["a", "a/b", "a/b/data"]) expect(statSync(join(folder, made)).mode & 0o777).toBe(0o700);
});

test("a file in its place, or above it, is an error", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(() => makeDataDirectory(file)).toThrow("EEXIST");
  expect(() => makeDataDirectory(join(file, "data"))).toThrow(/ENOTDIR|ENOENT/);
});

// In a process of its own, which can be stopped when it does not end.
test.runIf(process.platform === "linux")(
  "where nothing can be made, that is an error and does not take forever",
  () => {
    const module = pathToFileURL(join(import.meta.dirname, "../src/make-data-directory.ts"));
    const program = `import { makeDataDirectory } from ${JSON.stringify(module)}; makeDataDirectory("/proc/none/data");`;
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      ["--no-warnings", "--input-type=module", "-e", program],
      { encoding: "utf8", timeout: 50_000, killSignal: "SIGKILL" },
    );
    expect({ status, signal }).toEqual({ status: 1, signal: null });
    expect(stderr).toContain("ENOENT");
  },
);
