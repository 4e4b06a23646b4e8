import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";
import { type Loci, type OpenedEngine, openEngine, type Principal, roles, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";

const admin: Principal = { tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] };
const count = 150;

let dataDirectory: string;
let engine: OpenedEngine;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-doubled-"));
  await open();
});
afterEach(async () => {
  await engine.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  engine = await openEngine({ dataDirectory, index: "embedded" });
}

function loci(): Loci {
  return engine.for(admin);
}

/** Remembers notes, and has what the indexes hold of them written into segments. */
async function remember(): Promise<void> {
  await loci().memories.rememberMany(
    Array.from({ length: count }, (_, number) => ({ text: `Note ${number} about tea`, scope: "user:alice" as const })),
  );
  await loci().memories.remember({ text: "Bob's secret", scope: "user:bob" });
  await loci().settled();
  await loci().maintenance.erase({ user: "bob" });
}

interface Manifest {
  readonly format: number;
  readonly segments: readonly unknown[];
}

/** Changes the manifests of all indexes. @returns how many there are */
async function changeManifests(change: (manifest: Manifest) => Manifest): Promise<number> {
  const files = await readdir(join(dataDirectory, "index"), { recursive: true });
  const manifests = files.filter((file) => basename(file) === "manifest");
  for (const file of manifests) {
    const path = join(dataDirectory, "index", file);
    const [, body = ""] = (await readFile(path, "utf8")).split("\n");
    const changed = JSON.stringify(change(JSON.parse(body) as Manifest));
    await writeFile(path, `${crc32(changed).toString(16).padStart(8, "0")}\n${changed}\n`);
  }
  return manifests.length;
}

const twice = (manifest: Manifest): Manifest => ({
  ...manifest,
  segments: [...manifest.segments, ...manifest.segments],
});

async function foundNotes(): Promise<number> {
  const { hits } = await loci().recall({ query: "tea", scopes: ["user:alice"], limit: 50, maxTokens: 8_000 });
  expect(new Set(hits.map(({ memory }) => memory.id)).size).toBe(hits.length);
  return hits.length;
}

test("verify finds rows that an index holds twice, and a repair leaves each once", async () => {
  await remember();
  const found = await foundNotes();
  await engine.close();
  expect(await changeManifests(twice)).toBe(2);
  await open();
  const { counts, findings } = await loci().maintenance.verify();
  expect(counts).toMatchObject({ rows: 4 * count, doubled: 2 * count, missing: 0, stale: 0, foreign: 0 });
  expect(new Set(findings.map(({ reason }) => reason))).toEqual(new Set(["DOUBLED_ROW"]));
  const repaired = await loci().maintenance.verify({ repair: true });
  expect(repaired.counts).toMatchObject({ repaired: 2 * count, remaining: 0, rebuilt: 2 });
  for (const isReopened of [false, true]) {
    if (isReopened) {
      await engine.close();
      await open();
    }
    expect((await loci().maintenance.verify()).counts).toMatchObject({ rows: 2 * count, doubled: 0, rebuilt: 0 });
    expect(await foundNotes()).toBe(found);
  }
});

test("indexes of the former format, in which rows may be twice, are built again without anybody's help", async () => {
  await remember();
  const found = await foundNotes();
  await engine.close();
  await changeManifests((manifest) => ({ ...twice(manifest), format: 1 }));
  await open();
  expect(await foundNotes()).toBe(found);
  await loci().settled();
  expect(await foundNotes()).toBe(found);
  expect((await loci().maintenance.verify()).findings).toEqual([]);
});

test("what is erased from doubled rows is gone, and the receipt says that nothing is left", async () => {
  await remember();
  await engine.close();
  await changeManifests(twice);
  await open();
  const receipt = await loci().maintenance.erase({ user: "alice" });
  expect(receipt.counts).toMatchObject({ erased: count, foreign: 0 });
  expect((await loci().maintenance.verify()).counts).toMatchObject({ rows: 0, doubled: 0, foreign: 0 });
  expect(await foundNotes()).toBe(0);
});
