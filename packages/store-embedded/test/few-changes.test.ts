import { readdir } from "node:fs/promises";
import { memoryId, type Scope, tenantId } from "@loci/domain";
import type { IndexChange, IndexUpsert, TextSearch } from "@loci/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestStore, type TestStore } from "./embedded-fixture.ts";

const scope: Scope = { kind: "global" };
const [small, other, third] = [tenantId("small"), tenantId("other"), tenantId("third")];
const most = 10;

let store: TestStore;
beforeEach(async () => {
  store = await openTestStore({ maxUnfiledChanges: most, maxOpenIndexes: 2 });
});
afterEach(() => store.destroy());

function row(number: number, words = 1): IndexUpsert {
  const terms = new Map(Array.from({ length: words }, (_, word) => [`word${word}`, 1] as const));
  const ref = memoryId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`);
  return { type: "upsert", ref, version: 1, scope, fields: {}, vectors: [], terms };
}

function rows(from: number, end: number): readonly IndexUpsert[] {
  return Array.from({ length: end - from }, (_, place) => row(from + place));
}

const documents = async (): Promise<number> => (await store.textIndex.statistics(small, [])).documents;
const files = async (): Promise<readonly string[]> =>
  (await readdir(store.directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test("an index of few changes has no file, is searched like any other, and is empty when it is opened again", async () => {
  await store.textIndex.apply(small, rows(0, most), most, { after: 0 });
  expect(await files()).toEqual([]);
  const search: TextSearch = { tenant: small, scopes: [scope], terms: ["word0"], limit: 50 };
  expect((await store.textIndex.search(search)).length).toBe(most);
  expect(await store.textIndex.checkpoint(small)).toBe(most);
  await store.textIndex.maintain({ purge: true });
  expect(await documents()).toBe(most);
  store = await store.reopen();
  expect([await store.textIndex.checkpoint(small), await documents()]).toEqual([0, 0]);
});

test("one change more, and all of it is in files: versions that were removed, too", async () => {
  const { ref } = row(0);
  await store.textIndex.apply(small, rows(0, most - 1), most - 1);
  await store.textIndex.apply(small, [{ type: "delete", ref, version: 5 }], most);
  expect(await files()).toEqual([]);
  await store.textIndex.apply(small, rows(most - 1, most + 1), most + 2, { after: most });
  expect((await files()).toSorted()).toEqual(["log-1", "manifest"]);
  store = await store.reopen();
  expect([await store.textIndex.checkpoint(small), await documents()]).toEqual([most + 2, most]);
  // An older version of what was removed does not come back.
  await store.textIndex.apply(small, [row(0)], most + 3, { after: most + 2 });
  expect(await documents()).toBe(most);
});

test("a long text counts as several changes", async () => {
  await store.textIndex.apply(small, [row(0, 100 * most)], 1);
  expect((await files()).toSorted()).toEqual(["log-1", "manifest"]);
});

test("what is to come behind something that was lost is refused, and nothing of it is taken", async () => {
  await store.textIndex.apply(small, rows(0, 3), 3);
  for (const tenant of [other, third]) await store.textIndex.apply(tenant, rows(0, 3), 3);
  const late: readonly IndexChange[] = rows(3, 4);
  await expect(store.textIndex.apply(small, late, 4, { after: 3 })).rejects.toMatchObject({
    reason: "STORE_UNAVAILABLE",
    message: expect.stringContaining("stands at 0") as string,
  });
  expect([await store.textIndex.checkpoint(small), await documents()]).toEqual([0, 0]);
  await store.textIndex.apply(small, rows(0, 4), 4, { after: 0 });
  expect([await store.textIndex.checkpoint(small), await documents()]).toEqual([4, 4]);
});

test("says of which tenants it may have anything, so that nobody asks for the others one by one", async () => {
  expect(await store.textIndex.heldAmong?.([small, other, third])).toEqual([]);
  await store.textIndex.apply(small, rows(0, most), most);
  await store.textIndex.apply(other, rows(0, most + 1), most + 1);
  expect(await store.textIndex.heldAmong?.([small, other, third])).toEqual([other]);
});
