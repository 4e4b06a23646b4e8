import { InvalidNamespaceError, type Operation } from "@langchain/langgraph-checkpoint";
import { LociStore, lociStoreMetadata } from "@loci/langchain/store";
import type { Loci } from "@loci/loci";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { memoryKeyOf } from "../../src/store/store-item.ts";
import { openedLoci } from "../opened-loci.ts";
import { firstOtherAnswer } from "./random-operations.ts";

let opened: Awaited<ReturnType<typeof openedLoci>>;
let loci: Loci;
beforeAll(async () => {
  opened = await openedLoci({ metadataFields: lociStoreMetadata });
  loci = opened.loci;
});
afterAll(() => opened[Symbol.asyncDispose]());

let stores = 0;
function newStore(options: Partial<ConstructorParameters<typeof LociStore>[0]> = {}): LociStore {
  return new LociStore({ loci, scope: `agent:store-${++stores}`, ...options });
}

test("random operations answer as those of LangGraph's own store", async () => {
  expect(await firstOtherAnswer(newStore(), 400, 7)).toBeUndefined();
}, 120_000);

test("500 hostile namespaces reach nothing of one another", async () => {
  const store = newStore();
  const strange = [
    "a",
    "ab",
    "A",
    "a/b",
    "a,b",
    '"',
    "\\",
    "[",
    "]",
    '","',
    "*",
    "%",
    "_",
    "' OR 1=1 --",
    "é",
    "e\u0301",
  ];
  const more = [
    "a ",
    " a",
    "a\n",
    "\u202ea",
    "a\u200b",
    "__proto__",
    "constructor",
    "$eq",
    "😀",
    "0",
    "00",
    "null",
    "ns0",
  ];
  const every = [...strange, ...more];
  const namespaces = Array.from({ length: 500 }, (_, index) => {
    const first = every[index % every.length] as string;
    const second = every[Math.floor(index / every.length) % every.length] as string;
    return index < every.length ? [first] : [first, second];
  });
  expect(new Set(namespaces.map((namespace) => JSON.stringify(namespace))).size).toBe(500);
  const key = "key";
  await store.batch(namespaces.map((namespace, index) => ({ namespace, key, value: { index, word: "plum" } })));
  const reads = await store.batch(namespaces.map((namespace): Operation => ({ namespace, key })));
  expect(reads.map((item) => (item as { value: unknown }).value)).toEqual(
    namespaces.map((_, index) => ({ index, word: "plum" })),
  );
  const all = { limit: 1_000 };
  for (const prefix of namespaces.filter((_, index) => index % 20 === 0)) {
    const wanted = namespaces.filter((one) => prefix.every((label, place) => one[place] === label));
    const listed = await store.search(prefix, all);
    expect(listed.map(({ namespace }) => namespace)).toEqual(wanted);
    const found = await store.search(prefix, { ...all, query: "plum" });
    for (const { namespace } of found) expect(namespace.slice(0, prefix.length)).toEqual(prefix);
    expect(found.length).toBe(wanted.length);
    // There `*` stands for any label.
    const matching = namespaces.filter((one) =>
      prefix.every((label, place) => one.length > place && (label === "*" || one[place] === label)),
    );
    expect((await store.listNamespaces({ prefix, ...all })).length).toBe(matching.length);
  }
  expect((await store.listNamespaces(all)).length).toBe(500);
}, 180_000);

test("a question finds items by what they say, with their relevance, and not those that are not searched", async () => {
  const store = newStore();
  await store.put(["users", "ann"], "food", { likes: "Pizza with anchovies", since: 2019 });
  await store.put(["users", "ann"], "work", { employer: "The harbour office", notes: [{ text: "Starts at seven" }] });
  await store.put(["users", "ben"], "food", { likes: "Pizza with anchovies", since: 2019 });
  await store.put(["users", "ann"], "secret", { likes: "Pizza with pineapple" }, false);
  await store.put(["users", "ann"], "by title", { title: "Sailing", body: "Pizza every day" }, ["title"]);
  const [first, ...others] = await store.search(["users", "ann"], { query: "What pizza does she like?" });
  expect(first).toMatchObject({ key: "food", namespace: ["users", "ann"], value: { since: 2019 } });
  expect(first?.score).toBeGreaterThan(0.2);
  expect(others.map(({ key }) => key)).not.toContain("secret");
  expect(others.every(({ score }) => (score ?? 1) <= (first?.score ?? 0))).toBe(true);
  // Two that say the same are two items.
  const both = await store.search(["users"], { query: "pizza with anchovies", limit: 2 });
  expect(both.map(({ namespace, key }) => [namespace[1], key])).toEqual(
    expect.arrayContaining([
      ["ann", "food"],
      ["ben", "food"],
    ]),
  );
  const filtered = await store.search(["users"], { query: "pizza", filter: { since: { $gt: 2018 } } });
  expect(filtered.map(({ key }) => key)).toEqual(["food", "food"]);
  // It is searched again once it is put so, and no more once it is not.
  await store.put(["users", "ann"], "secret", { likes: "Pizza with pineapple" });
  expect((await store.search(["users", "ann"], { query: "pineapple" }))[0]?.key).toBe("secret");
  await store.put(["users", "ann"], "secret", { likes: "Pizza with pineapple" }, false);
  expect((await store.search(["users", "ann"], { query: "pineapple" })).map(({ key }) => key)).not.toContain("secret");
  expect((await store.search(["users", "ann"])).map(({ key }) => key)).toContain("secret");
});

test("without declared metadata a question finds the same", async () => {
  await using undeclared = await openedLoci();
  const store = new LociStore({ loci: undeclared.loci, scope: "agent:store" });
  await store.put(["a"], "one", { text: "A plum cake" });
  await store.put(["ab"], "two", { text: "A plum tart" });
  expect((await store.search(["a"], { query: "plum" })).map(({ key }) => key)).toEqual(["one"]);
});

test("a filter compares what is nested, and refuses what it does not know", async () => {
  const store = newStore();
  await store.put(["a"], "one", { n: 1, o: { deep: true, list: [1, { x: 2 }] } });
  await store.put(["a"], "two", { n: 2, o: { deep: false, list: [] } });
  const keys = async (filter: Record<string, unknown>): Promise<readonly string[]> =>
    (await store.search(["a"], { filter })).map(({ key }) => key);
  expect(await keys({ o: { deep: true } })).toEqual(["one"]);
  expect(await keys({ o: { list: [1, { x: 2 }] } })).toEqual(["one"]);
  expect(await keys({ o: { $ne: { deep: true, list: [1, { x: 2 }] } } })).toEqual(["two"]);
  expect(await keys({ n: { $gte: 1, $lt: 2 } })).toEqual(["one"]);
  expect(await keys({ toString: undefined })).toEqual(["one", "two"]);
  for (const filter of [{ n: { $regex: "1" } }, { o: { deep: { $in: [true] } } }])
    await expect(keys(filter)).rejects.toMatchObject({ reason: "UNSUPPORTED_OPERATION", field: "filter" });
});

test("a batch reads what was there before it, and writes the last of each place", async () => {
  const store = newStore();
  await store.put(["a"], "k", { n: 1 });
  const [, before, found, names] = await store.batch([
    { namespace: ["a"], key: "k", value: { n: 2 } },
    { namespace: ["a"], key: "k" },
    { namespacePrefix: ["a"] },
    { matchConditions: undefined, limit: 9, offset: 0 } as never,
    { namespace: ["a"], key: "k", value: { n: 3 } },
    { namespace: ["b"], key: "k", value: null },
  ] as Operation[]);
  expect(before).toMatchObject({ value: { n: 1 } });
  expect(found).toMatchObject([{ value: { n: 1 } }]);
  expect(names).toEqual([["a"]]);
  expect((await store.get(["a"], "k"))?.value).toEqual({ n: 3 });
  await store.delete(["a"], "k");
  expect(await store.get(["a"], "k")).toBeNull();
});

test("of many puts at once to one place one item comes", async () => {
  const [one, other] = [newStore({ scope: "agent:raced" }), newStore({ scope: "agent:raced" })];
  await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? one : other).put(["a"], "k", { n })));
  expect(await one.search(["a"])).toHaveLength(1);
});

test("items expire, and are put again", async () => {
  const store = newStore({ ttl: 1 });
  await store.put(["a"], "k", { n: 1 });
  expect(await store.get(["a"], "k")).not.toBeNull();
  vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
  try {
    expect(await store.get(["a"], "k")).toBeNull();
    expect(await store.search(["a"])).toEqual([]);
    expect(await store.listNamespaces()).toEqual([]);
    await store.put(["a"], "k", { n: 2 });
    expect((await store.get(["a"], "k"))?.value).toEqual({ n: 2 });
  } finally {
    vi.useRealTimers();
  }
});

test("what cannot be kept is refused before anything of its batch is written", async () => {
  const store = newStore();
  const good = { namespace: ["a"], key: "good", value: { n: 1 } };
  const large = { text: "x".repeat(36 * 1024) };
  const wrong: readonly (readonly [Partial<Operation>, object])[] = [
    [{ namespace: ["a"], key: "k", value: large }, { reason: "METADATA_TOO_LARGE" }],
    [
      { namespace: ["a"], key: "k", value: 7 as never },
      { reason: "INVALID_REQUEST", field: "value" },
    ],
    [
      { namespace: ["a"], key: "k", value: { n: 1n } },
      { reason: "INVALID_REQUEST", field: "value" },
    ],
    [
      { namespace: ["a"], key: "", value: { n: 1 } },
      { reason: "INVALID_IDENTIFIER", field: "key" },
    ],
    [
      { namespace: ["a"], key: "k".repeat(513), value: { n: 1 } },
      { reason: "INVALID_IDENTIFIER", field: "key" },
    ],
    [{ namespace: ["a".repeat(201)], key: "k", value: { n: 1 } }, { reason: "INVALID_IDENTIFIER" }],
    [{ namespace: Array.from({ length: 17 }, () => "a"), key: "k" }, { reason: "INVALID_IDENTIFIER" }],
    [{ namespace: ["a", "\ud800"], key: "k" }, { reason: "INVALID_IDENTIFIER" }],
  ];
  for (const [operation, error] of wrong)
    await expect(store.batch([good, operation as Operation])).rejects.toMatchObject(error);
  for (const namespace of [[], ["a.b"], ["a:b"], [""], ["a\0b"]])
    await expect(store.batch([good, { namespace, key: "k", value: { n: 1 } }])).rejects.toThrow(InvalidNamespaceError);
  expect(await store.search([])).toEqual([]);
  // As long as it may be.
  const labels = Array.from({ length: 16 }, () => "ü".repeat(100));
  await store.put(labels, "k".repeat(512), { text: "x".repeat(30 * 1024) });
  expect((await store.get(labels, "k".repeat(512)))?.namespace).toEqual(labels);
});

test("whose items they are comes from the application, for each namespace", async () => {
  const scopes = newStore({
    scope: ([kind, user]) => (kind === "users" && user !== undefined ? `user:${user}` : undefined),
  });
  await scopes.put(["users", "ann", "notes"], "k", { text: "hers" });
  await scopes.put(["users", "ben", "notes"], "k", { text: "his" });
  expect((await scopes.search(["users", "ann"])).map(({ value }) => value)).toEqual([{ text: "hers" }]);
  expect(await scopes.listNamespaces({ prefix: ["users", "ben"] })).toEqual([["users", "ben", "notes"]]);
  for (const refused of [scopes.search([]), scopes.listNamespaces(), scopes.get(["teams", "a"], "k")])
    await expect(refused).rejects.toMatchObject({ reason: "SCOPE_REQUIRED" });
  const nobody = newStore({ scope: `user:${String(undefined)}` as never });
  await expect(nobody.get(["a"], "k")).rejects.toMatchObject({ reason: "SCOPE_REQUIRED" });
});

test("other memories of the scope are no items, and an item is a memory of it", async () => {
  const store = newStore({ scope: "user:cleo" });
  await loci.memories.remember({ text: "Cleo sails.", scope: "user:cleo" });
  await store.put(["a"], "k", { hobby: "Sailing" });
  expect(await store.search([])).toHaveLength(1);
  expect(await store.search([], { query: "sailing" })).toHaveLength(1);
  const named = { scope: "user:cleo", key: '["a","k"]' } as const;
  expect(await loci.memories.get(named)).toMatchObject({ text: "hobby: Sailing", category: "item" });
  await loci.maintenance.erase({ user: "cleo" });
  expect(await store.get(["a"], "k")).toBeNull();
});

test("a call ends with its signal", async () => {
  const store = newStore({ call: { signal: AbortSignal.abort() } });
  await expect(store.get(["a"], "k")).rejects.toMatchObject({ reason: "CANCELLED" });
});

test("the key of an item's memory is the same in every language", () => {
  expect(memoryKeyOf({ namespace: ["notes", 'é"\n\u007f'], key: "tea" })).toBe('["notes","é\\"\\n\u007f","tea"]');
  const [a, b, c] = ["a", "b", "c"].map((letter) => letter.repeat(200)) as [string, string, string];
  expect(memoryKeyOf({ namespace: [a, b], key: c })).toBe(
    "sha256:b9f33c2c14adc00673f253996126403ff4307d823df9f6c9bb6252dde2296781",
  );
});
