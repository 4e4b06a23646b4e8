// A release as it is made, in a clone: nothing is published.
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const workspace = join(import.meta.dirname, "../../..");
const plan = `---
__default__: minor
---

Memories can be watched.
`;
let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "loci-release-"));
  git(workspace, "clone", "--quiet", "--depth=1", `file://${workspace}`, clone);
  for (const path of ["nx.json", "tools/release", ".gitignore"])
    cpSync(join(workspace, path), join(clone, path), { recursive: true });
  // Each manifest as it is now, in case it has not been committed yet.
  for (const path of manifests(workspace)) cpSync(join(workspace, path), join(clone, path), { recursive: true });
  cpSync(join(workspace, "package-lock.json"), join(clone, "package-lock.json"));
  git(clone, "config", "user.name", "Releaser");
  git(clone, "config", "user.email", "releaser@example.com");
  mkdirSync(join(clone, ".nx/version-plans"), { recursive: true });
  writeFileSync(join(clone, ".nx/version-plans/watch.md"), plan);
  git(clone, "add", "--all");
  git(clone, "commit", "--quiet", "--message", "Plan a version");
  symlinkSync(join(workspace, "node_modules"), join(clone, "node_modules"));
});
afterAll(() => rmSync(clone, { recursive: true }));

test("one command gives every package its version, with a changelog and a tag", { timeout: 120_000 }, () => {
  const nx = join(workspace, "node_modules/nx/dist/bin/nx.js");
  const environment = { ...process.env, NX_DAEMON: "false", NX_WORKSPACE_ROOT_PATH: clone, NX_INTERACTIVE: "false" };
  execFileSync(process.execPath, [nx, "release", "--skip-publish"], {
    cwd: clone,
    env: environment,
    stdio: "pipe",
  });
  const packages = manifests(clone).map((path) => readJson(path));
  expect(packages.length).toBeGreaterThan(20);
  const former = JSON.parse(readFileSync(join(workspace, "packages/loci/package.json"), "utf8")) as Manifest;
  const { version: next } = readJson("packages/loci/package.json");
  expect(next).not.toBe(former.version);
  for (const { name, version, dependencies = {} } of packages) {
    expect(`${name} ${version}`).toBe(`${name} ${next}`);
    const own = Object.entries(dependencies).filter(([dependency]) => dependency.startsWith("@loci/"));
    expect(own).toEqual(own.map(([dependency]) => [dependency, next]));
  }
  const { packages: locked } = readJson("package-lock.json") as unknown as { packages: Record<string, Manifest> };
  for (const path of manifests(clone)) {
    const { version, dependencies } = readJson(path);
    expect(locked[path.replace("/package.json", "")]).toMatchObject({ version, ...(dependencies && { dependencies }) });
  }
  expect(read("packages/client-python/pyproject.toml")).toContain(`\nversion = "${next}"\n`);
  expect(read("CHANGELOG.md")).toContain("Memories can be watched.");
  expect(git(clone, "tag")).toBe(`v${next}`);
  expect(git(clone, "log", "-1", "--format=%s")).toBe(`Version ${next}`);
  // The link to the packages is the test's own.
  expect(git(clone, "status", "--porcelain")).toBe("?? node_modules");
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function manifests(root: string): readonly string[] {
  return globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: root });
}

function read(path: string): string {
  return readFileSync(join(clone, path), "utf8");
}

function readJson(path: string): Manifest {
  return JSON.parse(read(path)) as Manifest;
}

function git(folder: string, ...command: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...command], { encoding: "utf8" }).trim();
}
