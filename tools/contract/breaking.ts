import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buf } from "./buf.ts";

const contract = ["buf.yaml", "proto", "third_party/proto"];

/**
 * The commit to compare a working tree with: the tip of main, or its parent when the tree is that tip unchanged.
 * `undefined` when there is none, or none with a contract.
 */
export function baseCommit(repository: string, branch = "main"): string | undefined {
  const tip = ["refs/heads", "refs/remotes/origin"]
    .map((place) => commitOf(repository, `${place}/${branch}`))
    .find((commit) => commit !== undefined);
  if (tip === undefined) return undefined;
  const isTip =
    commitOf(repository, "HEAD") === tip && git(repository, "status", "--porcelain", "--", ...contract) === "";
  const base = isTip ? commitOf(repository, `${tip}^`) : tip;
  return base !== undefined && git(repository, "ls-tree", base, "buf.yaml", "proto/").includes("buf.yaml")
    ? base
    : undefined;
}

/**
 * Compares the contract of a working tree with a commit's.
 *
 * As images, because buf refuses to compare sources whose number of modules differs.
 *
 * @throws Error with every change that breaks a client
 */
export function checkBreaking(repository: string, base: string): void {
  const folder = mkdtempSync(join(tmpdir(), "loci-breaking-"));
  try {
    const archive = execFileSync("git", ["-C", repository, "archive", base, ...existing(repository, base)], {
      maxBuffer: 1 << 28,
    });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    const before = join(folder, "before.binpb");
    const after = join(folder, "after.binpb");
    buf(folder, "build", "--output", before);
    buf(repository, "build", "--output", after);
    buf(repository, "breaking", after, "--against", before);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function existing(repository: string, commit: string): string[] {
  return contract.filter((path) => git(repository, "ls-tree", commit, path) !== "");
}

function commitOf(repository: string, revision: string): string | undefined {
  try {
    return git(repository, "rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  } catch {
    return undefined;
  }
}

function git(repository: string, ...command: string[]): string {
  return execFileSync("git", ["-C", repository, ...command], { encoding: "utf8" }).trim();
}
