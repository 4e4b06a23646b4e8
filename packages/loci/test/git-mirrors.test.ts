import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Loci } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLoci } from "../src/index.ts";

const human = { owner: "user:alice", label: "human" } as const;
let folder: string;
let loci: Loci;

const opened = (): Promise<Loci> => openLoci({ tenant: "acme", dataDirectory: folder, index: "memory" });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-mirrors-"));
  loci = await opened();
});
afterEach(async () => {
  await loci.close();
  rmSync(folder, { recursive: true });
});

/** The repository of the one owner there is. */
function repository(): string | undefined {
  const parent = join(folder, "git-mirrors");
  const [tenant] = existsSync(parent) ? readdirSync(parent) : [];
  const owner = readdirSync(join(parent, tenant ?? "")).find((name) => name.startsWith("user-alice-"));
  return owner === undefined ? undefined : join(parent, tenant ?? "", owner);
}

function git(...words: readonly string[]): string {
  return execFileSync("git", ["-C", repository() ?? "", ...words], { encoding: "utf8" }).trim();
}

async function writeTwice(): Promise<void> {
  await loci.blocks.create({ ...human, values: { name: "Alice" } });
  const operations = [{ op: "append" as const, field: "facts", value: "flies" }];
  const { id } = await loci.blocks.propose({ ...human, operations, reason: "She said so" });
  await loci.settled();
  expect(readdirSync(join(repository() ?? "", "pending_diffs"))).toEqual([`${id}.json`]);
  const { preview } = await loci.blocks.getEdit({ id });
  await loci.blocks.approve({ id, baseVersion: preview!.baseVersion, contentHash: preview!.contentHash });
  await loci.settled();
}

test("git reads the history of blocks, under the ids that versions are known by", async () => {
  await writeTwice();
  const { versions } = await loci.blocks.history(human);
  expect(git("log", "--format=%H %s").split("\n")).toEqual(
    versions.map(({ commitId, message }) => `${commitId} ${message}`),
  );
  expect(git("fsck", "--strict")).toBe("");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("show", "HEAD:blocks/human.toml")).toBe('name = "Alice"\nfacts = ["flies"]');
  expect(readdirSync(join(repository() ?? "", "pending_diffs"))).toEqual([]);
  await loci.blocks.delete(human);
  await loci.settled();
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "-1", "--format=%s")).toBe("Delete human");
});

test("a mirror goes on after a restart", async () => {
  await writeTwice();
  await loci.close();
  loci = await opened();
  await loci.blocks.restore({ ...human, version: 1 });
  await loci.settled();
  expect(git("log", "--format=%s").split("\n")).toEqual(["Restore version 1 of human", "She said so", "Create human"]);
});

test("what is erased takes its mirror along, and its owner may have blocks again", async () => {
  await writeTwice();
  await loci.maintenance.erase({ user: "alice" });
  await loci.settled();
  expect(repository()).toBeUndefined();
  await expect(loci.blocks.get(human)).rejects.toMatchObject({ reason: "BLOCK_NOT_FOUND" });
  expect((await loci.blocks.create({ ...human, values: { name: "Bea" } })).version).toBe(1);
  await loci.settled();
  expect(git("log", "--format=%s")).toBe("Create human");
});
