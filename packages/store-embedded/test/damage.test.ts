import { createHash } from "node:crypto";
import { readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { memoryId, type NonEmpty, type Scope, type TenantId, tenantId } from "@loci/domain";
import { collectionId, type IndexChange, type TextHit, type VectorHit } from "@loci/store";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";
import { changeArbitrary, scopes, space } from "./history-arbitraries.ts";

const main = collectionId("main");
/** 120 refs, newer versions of some, and a few that are deleted. */
const history = fc.sample(changeArbitrary, { seed: 5, numRuns: 146 }).map((change, index): IndexChange => {
  const ref = memoryId(`00000000-0000-7000-8000-${((index * 7) % 120).toString(16).padStart(12, "0")}`);
  return { ...change, ref, version: index + 1 };
});
/** Two segments and a log. The older has dead rows, and is too large to be merged even if the newer has taken the log as well. */
const batches = [120, 141, history.length];

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore({ maxHeadRows: 20 });
});
afterEach(() => store.destroy());

interface Answers {
  readonly vectors: readonly VectorHit[];
  readonly texts: readonly TextHit[];
}

/** Brings a tenant's indexes up to date from where they stand, as a drainer would, and asks both. */
async function drainedAnswers(tenant: TenantId): Promise<Answers> {
  const vectors = await store.vectorStore.openCollection(main, space);
  for (const projection of [vectors, store.textIndex]) {
    for (const through of batches) {
      const checkpoint = await projection.checkpoint(tenant);
      if (checkpoint < through) await projection.apply(tenant, history.slice(checkpoint, through), through);
    }
  }
  const selection = { tenant, scopes: scopes as unknown as NonEmpty<Scope>, limit: 50 };
  return {
    vectors: await vectors.search({ ...selection, vectors: [Float32Array.of(0.6, 0, 0.8, 0, 0)] }),
    texts: await store.textIndex.search({ ...selection, terms: ["a", "b", "c", "d"] }),
  };
}

/** The files of a tenant's indexes, in an order that is the same for tenants that hold the same. */
async function filesOf(tenant: TenantId): Promise<readonly string[]> {
  const directory = join(store.directory, createHash("sha256").update(tenant).digest("hex").slice(0, 40));
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .toSorted();
}

const damages: readonly ((file: string) => Promise<void>)[] = [
  async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
  (file) => rm(file),
  (file) => flipBit(file, 0),
  (file) => flipBit(file, 0.6),
  (file) => flipBit(file, 1),
];

test("any file damaged in any way: noticed, built again, and what is found is the same", async () => {
  const intact = tenantId("intact");
  const expected = await drainedAnswers(intact);
  expect(expected.vectors.length).toBeGreaterThan(5);
  expect(expected.texts.length).toBeGreaterThan(5);
  // One tenant loses the first of its files in the first way, one the second, and so on.
  const places = (await filesOf(intact)).length + 2;
  const victims = Array.from({ length: places * damages.length }, (_, number) => tenantId(`victim-${number}`));
  for (const victim of victims) await drainedAnswers(victim);
  await store.close();
  const damaged = new Set<string>();
  for (const [number, victim] of victims.entries()) {
    const file = (await filesOf(victim))[number % places];
    if (file === undefined) continue;
    await damages[Math.floor(number / places)]?.(file);
    damaged.add(basename(file).replace(/-.*/, ""));
  }
  expect([...damaged].toSorted()).toEqual(["dead", "log", "manifest", "segment"]);
  store = await store.reopen();
  for (const victim of [intact, ...victims]) expect(await drainedAnswers(victim)).toEqual(expected);
  expect(store.problems.length).toBeGreaterThan(damages.length * 4);
  expect(new Set(store.problems.map(({ reason }) => reason))).toEqual(new Set(["DATA_DIRECTORY_CORRUPT"]));
});

test("a damaged segment resets its own index alone, and is reported", async () => {
  const [tenant, bystander] = [tenantId("damaged"), tenantId("bystander")];
  for (const who of [tenant, bystander]) await drainedAnswers(who);
  await store.close();
  const texts = (await filesOf(tenant)).filter((file) => file.includes("text") && file.includes("segment-"));
  await flipBit(texts[0]!, 0.9);
  store = await store.reopen();
  const vectors = await store.vectorStore.openCollection(main, space);
  expect(await store.textIndex.checkpoint(tenant)).toBe(0);
  expect(await vectors.checkpoint(tenant)).toBe(history.length);
  expect(await vectors.checkpoint(bystander)).toBe(history.length);
  expect(await store.textIndex.checkpoint(bystander)).toBe(history.length);
  expect(store.problems.map(({ reason }) => reason)).toEqual(["DATA_DIRECTORY_CORRUPT"]);
});

async function flipBit(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length === 0) return;
  const at = Math.round(place * (bytes.length - 1));
  bytes[at] = bytes[at]! ^ 0x10;
  await writeFile(file, bytes);
}
