import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { tenantId } from "@loci/domain";
import { collectionId, type IndexChange, type Projection } from "@loci/store";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";
import { changeArbitrary, space } from "./history-arbitraries.ts";

const acme = tenantId("acme");
const main = collectionId("main");
const history = fc.sample(changeArbitrary, { seed: 6, numRuns: 120 });

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore({ maxHeadRows: 20 });
});
afterEach(() => store.destroy());

async function applyFromCheckpoint(changes: readonly IndexChange[]): Promise<readonly (readonly string[])[]> {
  const vectors = await store.vectorStore.openCollection(main, space);
  const found: (readonly string[])[] = [];
  for (const projection of [vectors, store.textIndex] as readonly Projection[]) {
    const checkpoint = await projection.checkpoint(acme);
    for (let start = checkpoint; start < changes.length; start += 10)
      await projection.apply(acme, changes.slice(start, start + 10), Math.min(start + 10, changes.length));
    const rows: string[] = [];
    for await (const { ref, version } of projection.refs(acme)) rows.push(`${ref} ${version}`);
    found.push(rows.toSorted());
  }
  return found;
}

interface WrittenManifest {
  readonly format: number;
  readonly segments: readonly unknown[];
}

/** Writes every manifest as the former version would have, whose merges could leave a segment in it twice. */
async function makeFormer(): Promise<number> {
  const files = await readdir(store.directory, { recursive: true });
  const manifests = files.filter((file) => basename(file) === "manifest").map((file) => join(store.directory, file));
  for (const path of manifests) {
    const [, body = ""] = (await readFile(path, "utf8")).split("\n");
    const manifest = JSON.parse(body) as WrittenManifest;
    const former = JSON.stringify({ ...manifest, format: 1, segments: [...manifest.segments, ...manifest.segments] });
    await writeFile(path, `${crc32(former).toString(16).padStart(8, "0")}\n${former}\n`);
  }
  return manifests.length;
}

test("an index of the former format is begun again when it is opened, without a word, and filled from the log", async () => {
  const expected = await applyFromCheckpoint(history);
  await store.close();
  expect(await makeFormer()).toBe(2);
  store = await store.reopen();
  const vectors = await store.vectorStore.openCollection(main, space);
  expect(await vectors.checkpoint(acme)).toBe(0);
  expect(await store.textIndex.checkpoint(acme)).toBe(0);
  expect(await applyFromCheckpoint(history)).toEqual(expected);
  // What it leaves is of this format: opened again, it stands where it stood.
  store = await store.reopen();
  expect(await store.textIndex.checkpoint(acme)).toBe(history.length);
  expect(await applyFromCheckpoint(history)).toEqual(expected);
  expect(store.problems).toEqual([]);
});

test("a purge also removes what indexes of a former format hold", async () => {
  await applyFromCheckpoint(history);
  await store.close();
  await makeFormer();
  store = await store.reopen();
  const vectors = await store.vectorStore.openCollection(main, space);
  for (const projection of [vectors, store.textIndex]) await projection.maintain({ purge: true });
  const files = await readdir(store.directory, { recursive: true });
  expect(files.filter((file) => dirname(dirname(file)) !== "." && !file.startsWith("collections"))).toEqual([]);
});
