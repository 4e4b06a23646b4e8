import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectProgram } from "../collect-program.ts";

// No container engine is asked: the container's file system is made by the command of its file, and what it runs is run as its
// user, in a mount namespace where nothing but the data and /tmp can be written.
const root = join(import.meta.dirname, "../../..");
const isBuilt = existsSync(join(root, "apps/cli/dist/main.js"));
const canConfine =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "sh", "-c", "mount --bind / / && mount -o remount,ro,bind /"]).status === 0 &&
  spawnSync("setpriv", ["--version"]).status === 0;

let folder: string;
let program: string;
beforeAll(() => {
  if (!isBuilt) return;
  folder = mkdtempSync(join(tmpdir(), "loci-container-"));
  chmodSync(folder, 0o755);
  program = join(folder, "opt/loci");
  collectProgram(root, "apps/cli", program);
});
afterAll(() => isBuilt && rmSync(folder, { recursive: true, force: true }));

/** Runs the command as user 10001 without any right, on a file system that can only be read. */
function confined(words: readonly string[]): ChildProcess {
  const data = join(folder, "data");
  const script = [
    "set -e",
    // Of these two alone something can be written.
    `mount --bind ${data} ${data}`,
    "mount -t tmpfs tmpfs /mnt",
    "mount --bind / /",
    "mount -o remount,ro,bind /",
    `exec setpriv --reuid 10001 --regid 10001 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`,
  ].join("\n");
  const command = [process.execPath, join(program, "apps/cli/bin/loci.js"), ...words];
  return spawn("unshare", ["--mount", "sh", "-c", script, "sh", ...command], {
    env: { NODE_ENV: "production", LOCI_DATA_DIR: data, PATH: "/usr/bin:/bin", TMPDIR: "/mnt" },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function ended(
  child: ChildProcess,
): Promise<{ readonly code: number; readonly out: string; readonly error: string }> {
  let [out, error] = ["", ""];
  child.stdout?.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (error += part.toString()));
  const [code] = (await once(child, "close")) as [number];
  return { code, out, error };
}

test.skipIf(!isBuilt)("what is collected is whole, small, and runs without the workspace", () => {
  const command = [join(program, "apps/cli/bin/loci.js"), "--version"];
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: "utf8", cwd: "/", env: {} });
  expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, stderr: "" });
  expect(existsSync(join(program, "apps/cli/src"))).toBe(false);
  expect(lstatSync(join(program, "node_modules/@loci/server")).isSymbolicLink()).toBe(true);
  expect(existsSync(join(program, "node_modules/vitest"))).toBe(false);
  const { stdout: size } = spawnSync("du", ["-sm", program], { encoding: "utf8" });
  expect(Number.parseInt(size, 10)).toBeLessThan(100);
});

test.skipIf(!isBuilt || !canConfine)("it serves as nobody on a file system that can only be read", async () => {
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  spawnSync("chown", ["10001:10001", data]);
  const server = confined(["serve", "--listen", "127.0.0.1:0"]);
  const end = ended(server);
  await expect.poll(() => existsSync(join(data, "server.json")), { timeout: 50_000 }).toBe(true);
  const { pid } = JSON.parse(readFileSync(join(data, "server.json"), "utf8")) as { pid: number };
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  expect(status).toMatch(/^Uid:\t10001\t10001\t/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^CapBnd:\t0+$/m);
  // The health check of the container, which asks again until the server serves.
  await expect
    .poll(() => ended(confined(["health"])), { timeout: 40_000, interval: 500 })
    .toEqual({ code: 0, out: "SERVING\n", error: "" });
  const remembered = await ended(confined(["remember", "The door is blue.", "--json"]));
  expect(remembered).toMatchObject({ code: 0, error: "" });
  expect((await ended(confined(["recall", "Which colour has the door?"]))).out).toContain("The door is blue.");
  // It is what it was said to be: elsewhere nothing can be written.
  const refused = await ended(confined(["export", join(folder, "out.jsonl")]));
  expect(refused.code).not.toBe(0);
  process.kill(pid, "SIGTERM");
  expect((await end).code).toBe(0);
  expect(existsSync(join(data, "server.json"))).toBe(false);
});

test.skipIf(!isBuilt || process.platform !== "linux")("a server that nobody calls takes at most 180 MiB", async () => {
  const data = mkdtempSync(join(folder, "data-"));
  const words = [join(program, "apps/cli/bin/loci.js"), "serve", "--listen", "127.0.0.1:0", "--data", data];
  const server = spawn(process.execPath, words, { cwd: "/", env: {}, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string];
  expect(line).toMatch(/^Serving /);
  const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
  server.kill("SIGTERM");
  await once(server, "close");
  const [, resident] = /^VmRSS:\s*(\d+) kB$/m.exec(status) ?? [];
  expect(Number(resident) / 1024).toBeLessThanOrEqual(180);
});

test("a package that was not built is named", () => {
  const workspace = mkdtempSync(join(tmpdir(), "loci-collect-"));
  mkdirSync(join(workspace, "apps/one"), { recursive: true });
  writeFileSync(join(workspace, "apps/one/package.json"), JSON.stringify({ files: ["dist"], dependencies: {} }));
  expect(() => collectProgram(workspace, "apps/one", join(workspace, "out"))).toThrow(
    /apps\/one\/dist is not there: run/,
  );
  writeFileSync(join(workspace, "apps/one/package.json"), JSON.stringify({ dependencies: { two: "1" } }));
  expect(() => collectProgram(workspace, "apps/one", join(workspace, "other"))).toThrow(/two, which .* needs, is not/);
  rmSync(workspace, { recursive: true });
});
