import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexAdapter } from "@loci/loci";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";

const { planted, events } = vi.hoisted(() => {
  // The files of this project share what they import: this one loads it anew, and so does the next.
  vi.resetModules();
  return { planted: [] as IndexAdapter[], events: [] as string[] };
});
afterAll(() => void vi.resetModules());

vi.mock("../src/indexes/index-adapters.ts", async (importOriginal) => {
  const own = await importOriginal<{ readonly indexAdapters: readonly IndexAdapter[] }>();
  return { ...own, indexAdapters: [...own.indexAdapters, ...planted] };
});

planted.push({
  name: "toy",
  title: "Toy",
  place: "outside",
  directoryName: "index-toy",
  ofEachServer: { vectors: true, text: true },
  notErased: ["Toys keep everything."],
  secret: { option: "key", path: "toy.key", called: "the key", about: "the key", of: "toy index", form: "a key" },
  settings: [],
  open: async (options, { directory, ledger }) => {
    events.push(`open ${JSON.stringify(options)} ${ledger.length > 0}`);
    await mkdir(join(directory, "index-toy"), { recursive: true });
    await writeFile(join(directory, "index-toy", "rows"), "");
    const [vectorStore, textIndex] = [openMemoryVectorStore(), openMemoryTextIndex()];
    return { vectorStore, textIndex, close: async () => vectorStore.close() };
  },
  remove: async (_options, { directory }) => {
    events.push("remove");
    await rm(join(directory, "index-toy"), { recursive: true, force: true });
  },
});

let dataDirectory: string;
beforeEach(async () => {
  events.length = 0;
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-planted-"));
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const toy = { kind: "toy", key: "k" };
const evaluationTime = 1_800_000_000_000;

// Loaded once the adapter is in the list.
async function open(index: unknown, indexes: readonly unknown[] = []) {
  const { openLoci } = await import("../src/open-loci.ts");
  const options = { tenant: "local", dataDirectory, index, indexes, create: true };
  return openLoci(options as Parameters<typeof openLoci>[0]);
}

test("an adapter in the list is opened, filled, searched, moved to and removed, and nothing else had to know of it", async () => {
  const query = { query: "What of the deploy?", scopes: ["user:a"], evaluationTime } as const;
  const texts = Array.from({ length: 40 }, (_, number) => ({ text: `Deploy ${number}`, scope: "user:a" }) as const);
  let expected: readonly unknown[];
  {
    await using loci = await open("memory", [toy]);
    await loci.memories.rememberMany(texts);
    await loci.settled();
    expected = (await loci.recall(query)).hits;
    expect(expected.length).toBeGreaterThan(0);
    await loci.maintenance.reindex({ to: "toy", dropOld: true });
    expect((await loci.recall(query)).hits).toEqual(expected);
  }
  expect(events).toContain('open {"kind":"toy","key":"k"} true');
  const rows = join(dataDirectory, "index-toy", "rows");
  expect(existsSync(rows)).toBe(true);
  // The note of what they follow is where they are, as it is declared.
  expect(existsSync(join(dataDirectory, "index-toy", "ledger.json"))).toBe(true);

  await using loci = await open(toy);
  await loci.settled();
  expect((await loci.recall(query)).hits).toEqual(expected);
  expect((await loci.maintenance.erase({ user: "nobody" })).notes).toContain("Toys keep everything.");
  events.length = 0;
  await loci.maintenance.reindex({ to: "memory", dropOld: true });
  expect((await loci.recall(query)).hits).toEqual(expected);
  expect(events).toEqual(["remove"]);
  expect(existsSync(rows)).toBe(false);
});

test("what is opened afresh in it is found there", async () => {
  await using loci = await open(toy);
  await loci.memories.remember({ text: "The deploy is on Friday", scope: "user:a" });
  await loci.settled();
  const { hits } = await loci.recall({ query: "When is the deploy?", scopes: ["user:a"] });
  expect(hits.map(({ memory }) => memory.text)).toEqual(["The deploy is on Friday"]);
});

test("its name is taken, and a kind that is in no list is refused", async () => {
  await expect(open({ kind: "custom", name: "toy", open: async () => ({}) })).rejects.toMatchObject({
    reason: "INVALID_CONFIGURATION",
    field: "index.name",
  });
  await expect(open("nothing")).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION", field: "index" });
});
