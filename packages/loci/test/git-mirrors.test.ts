import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import type { Loci } from "@loci/domain";
import { missingNativePostgres, openTestDatabase } from "@loci/test-postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLoci } from "../src/index.ts";
import { serviceLedger } from "./service-ledger.ts";

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

test("nobody but its user reads mirrors, also in a data directory that is open to all", async () => {
  chmodSync(folder, 0o755);
  await writeTwice();
  expect(statSync(join(folder, "git-mirrors")).mode & 0o077).toBe(0);
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

/** What git says of the mirror, beside what the log has. */
async function expectMirrored(): Promise<void> {
  await loci.settled();
  const { versions } = await loci.blocks.history(human);
  expect(git("log", "--format=%H").split("\n")).toEqual(versions.map(({ commitId }) => commitId));
  expect(git("fsck", "--strict")).toBe("");
  expect(git("status", "--porcelain", "--", "blocks")).toBe("");
}

const inRepository = (...names: readonly string[]): string => join(repository() ?? "", ...names);
const objectPath = (id: string): string => inRepository(".git", "objects", id.slice(0, 2), id.slice(2));

test.each<readonly [string, () => void]>([
  ["is gone, with nothing said of it", () => rmSync(inRepository(), { recursive: true })],
  ["has lost its repository", () => rmSync(inRepository(".git"), { recursive: true })],
  ["has a note that is cut off", () => truncateSync(inRepository(".git", "loci-mirror.json"), 10)],
  ["has an empty branch", () => writeFileSync(inRepository(".git", "refs", "heads", "main"), "")],
  ["has lost its last commit", () => rmSync(objectPath(git("rev-parse", "HEAD")))],
  ["was packed by git", () => git("gc", "--quiet", "--prune=now")],
  ["stands at a place nobody has written", () => writeFileSync(inRepository("..", "checkpoint"), "{")],
])("a mirror that %s is made anew at the next start", async (_, damage) => {
  await writeTwice();
  await loci.close();
  damage();
  loci = await opened();
  await expectMirrored();
  expect((await loci.maintenance.verify()).findings).toEqual([]);
});

test.each<readonly [string, () => void]>([
  ["has lost its repository", () => rmSync(inRepository(".git"), { recursive: true })],
  ["is gone", () => rmSync(inRepository(), { recursive: true })],
  [
    "has another last commit",
    () => git("-c", "user.name=x", "-c", "user.email=x@invalid", "commit", "--allow-empty", "--quiet", "-m", "by hand"),
  ],
])("where the mirror of one owner %s, that of another is left as it is", async (_, damage) => {
  await writeTwice();
  const bob = { owner: "user:bob", label: "human" } as const;
  await loci.blocks.create({ ...bob, values: { name: "Bob" } });
  await loci.settled();
  const parent = join(repository() ?? "", "..");
  const others = join(parent, readdirSync(parent).find((name) => name.startsWith("user-bob-")) ?? "");
  const note = (): bigint => statSync(join(others, ".git", "loci-mirror.json"), { bigint: true }).mtimeNs;
  const before = note();
  await loci.close();
  damage();
  loci = await opened();
  await expectMirrored();
  expect(note()).toBe(before);
  // It goes on where it stood.
  await loci.blocks.update(bob, { values: { name: "Ben" } }, { etag: (await loci.blocks.get(bob)).etag });
  await loci.settled();
  expect(execFileSync("git", ["-C", others, "log", "--format=%H"], { encoding: "utf8" }).trim().split("\n")).toEqual(
    (await loci.blocks.history(bob)).versions.map(({ commitId }) => commitId),
  );
  expect((await loci.maintenance.verify()).findings).toEqual([]);
});

test("a mirror of another ledger is made anew", async () => {
  await writeTwice();
  await loci.close();
  const mirrors = join(folder, "git-mirrors");
  cpSync(mirrors, join(folder, "kept"), { recursive: true });
  const former = folder;
  folder = mkdtempSync(join(tmpdir(), "loci-mirrors-"));
  cpSync(join(former, "kept"), join(folder, "git-mirrors"), { recursive: true });
  rmSync(former, { recursive: true });
  loci = await opened();
  await loci.blocks.create({ ...human, values: { name: "Bea" } });
  await expectMirrored();
  expect(git("log", "--format=%H").split("\n")).toHaveLength(1);
});

test("a mirror that is damaged while it is written to is made anew", async () => {
  await writeTwice();
  rmSync(inRepository(), { recursive: true });
  await loci.blocks.restore({ ...human, version: 1 });
  await expectMirrored();
  expect(git("log", "--format=%H").split("\n")).toHaveLength(3);
});

/** Puts a file, a folder or a link to another folder in the place of something. */
const inItsPlace = {
  file: (path: string) => writeFileSync(path, "in the way"),
  folder: (path: string) => mkdirSync(join(path, "in the way"), { recursive: true }),
  link: (path: string) => symlinkSync(outside, path),
};
let outside: string;

test.each<readonly [keyof typeof inItsPlace, string, (repository: string) => string]>([
  ["file", "the mirrors", (path) => join(path, "../..")],
  ["file", "a tenant's mirrors", (path) => join(path, "..")],
  ["folder", "a tenant's note", (path) => join(path, "../checkpoint")],
  ["folder", "a draft", (path) => join(path, "../checkpoint.draft")],
  ["file", "a mirror", (path) => path],
  ["folder", "a branch", (path) => join(path, ".git/refs/heads/main")],
  ["file", "the files of blocks", (path) => join(path, "blocks")],
  ["folder", "a block's file", (path) => join(path, "blocks/human.toml")],
  ["file", "the edits that wait", (path) => join(path, "pending_diffs")],
  ["link", "the files of blocks", (path) => join(path, "blocks")],
  ["link", "the edits that wait", (path) => join(path, "pending_diffs")],
])("a %s in the place of %s does not hold a mirror up, and nothing is written elsewhere", async (what, _, placeIn) => {
  await writeTwice();
  outside = mkdtempSync(join(tmpdir(), "loci-outside-"));
  try {
    const place = placeIn(repository() ?? "");
    rmSync(place, { recursive: true, force: true });
    inItsPlace[what](place);
    await loci.blocks.restore({ ...human, version: 1 });
    await expectMirrored();
    expect(git("log", "--format=%H").split("\n")).toHaveLength(3);
    expect(readdirSync(outside)).toEqual([]);
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("verification finds what is damaged in a mirror, and repair makes it anew", async () => {
  await writeTwice();
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  rmSync(objectPath(git("rev-parse", "HEAD~1:blocks/human.toml")));
  writeFileSync(inRepository("blocks", "human.toml"), "something else");
  const { findings } = await loci.maintenance.verify();
  expect(findings).toMatchObject([{ reason: "MISCOUNTED_ROWS", details: { index: "gitMirrors" } }]);
  expect((await loci.maintenance.verify({ repair: true })).counts["rebuilt"]).toBe(1);
  await expectMirrored();
});

test.each([false, true])("no object of an erased owner is left, packed by git: %s", async (isPacked) => {
  await loci.blocks.create({ ...human, values: { name: "xqcanaryzw" } });
  await loci.blocks.create({ owner: "user:bob", label: "human", values: { name: "Bob" } });
  await loci.settled();
  const blob = git("rev-parse", "HEAD:blocks/human.toml");
  const mine = inRepository();
  if (isPacked) git("gc", "--quiet", "--prune=now");
  await loci.maintenance.erase({ user: "alice" });
  await loci.settled();
  expect(existsSync(mine)).toBe(false);
  // Names of objects are made of their contents; contents are compressed.
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(left.filter(({ name, parentPath }) => `${parentPath.slice(-2)}${name}` === blob)).toEqual([]);
  for (const { name, parentPath } of left.filter((entry) => entry.parentPath.includes("git-mirrors"))) {
    const content = readFileSync(join(parentPath, name));
    const plain = parentPath.includes("objects") ? inflateSync(content) : content;
    expect(plain.includes("xqcanaryzw")).toBe(false);
  }
  expect((await loci.blocks.get({ owner: "user:bob", label: "human" })).text).toBe("[USER] Bob");
  expect((await loci.maintenance.verify()).findings).toEqual([]);
});

test.skipIf(missingNativePostgres() !== undefined)(
  "nothing of an erased owner is left beside a ledger in PostgreSQL, mirror and tables included",
  async () => {
    await using database = await openTestDatabase("native");
    const schema = "loci";
    const ledger = { ...(await serviceLedger(database, 4)), schema };
    const directory = join(folder, "beside-postgres");
    const options = { tenant: "acme", dataDirectory: directory, index: "memory", gitMirrors: true } as const;
    await using mirrored = await openLoci({ ...options, ledger });
    await mirrored.blocks.create({ ...human, values: { name: "xqcanaryzw" } });
    await mirrored.blocks.create({ owner: "user:bob", label: "human", values: { name: "Bob" } });
    await mirrored.blocks.propose({ ...human, operations: [{ op: "set", field: "name", value: "xqcanaryzw too" }] });
    await mirrored.settled();
    const mirrors = (): readonly string[] =>
      readdirSync(join(directory, "git-mirrors"), { recursive: true })
        .map(String)
        .filter((path) => path.includes("alice"));
    expect(mirrors().length).toBeGreaterThan(3);
    await mirrored.maintenance.erase({ user: "alice" });
    await mirrored.settled();
    expect(mirrors()).toEqual([]);
    const tables = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}'`;
    const found: string[] = [];
    const names = await database.execute(tables);
    expect(names.length).toBeGreaterThan(10);
    for (const { name } of names) {
      const wanted = `SELECT 1 FROM ${schema}."${String(name)}" t WHERE t::text LIKE '%xqcanaryzw%'`;
      if ((await database.execute(wanted)).length > 0) found.push(String(name));
    }
    expect(found).toEqual([]);
    expect((await mirrored.blocks.get({ owner: "user:bob", label: "human" })).text).toBe("[USER] Bob");
  },
);
