import { readdirSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { platform, tmpdir } from "node:os";
import { join } from "node:path";
import { type IndexKind, type Loci, type OpenedEngine, openEngine, roles, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WordEmbedder } from "./word-embedder.ts";

const tenants = 300;
/** More than so many wait for the disk at once, which makes the test quick. */
const atOnce = 50;

let directory: string;
let problems: string[];
beforeEach(async () => {
  problems = [];
  directory = await mkdtemp(join(tmpdir(), "loci-tenants-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function open(index: IndexKind = "embedded"): Promise<OpenedEngine> {
  return openEngine({
    index,
    dataDirectory: directory,
    embedder: new WordEmbedder("words", 64),
    reportProblem: (error, activity) => void problems.push(`${activity}: ${String(error)}`),
  });
}

function as(engine: OpenedEngine, number: number): Loci {
  const tenant = tenantId(`tenant-${number}`);
  return engine.for({ tenant, subject: "test", roles, scopePatterns: ["*"] });
}

async function forEachTenant(work: (number: number) => Promise<void>, count = tenants): Promise<void> {
  for (let start = 0; start < count; start += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, place) => work(start + place)));
}

function wordsOf(number: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, place) => `word${number}x${place}`);
}

async function remember(loci: Loci, words: readonly string[]): Promise<void> {
  await loci.memories.rememberMany(words.map((word) => ({ text: `The word is ${word}.`, scope: "global" as const })));
  await loci.settled();
}

/** Texts that are found in the scope, each by its own word. */
async function expectAll(loci: Loci, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const { hits, degraded } = await loci.recall({ query: word, scopes: ["global"] });
    expect(degraded).toEqual([]);
    expect(hits[0]?.text).toBe(`The word is ${word}.`);
  }
}

const filesIn = async (): Promise<readonly string[]> =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const descriptors = (): number => (platform() === "linux" ? readdirSync("/proc/self/fd").length : 0);

test("tenants with few memories take no file and no descriptor each, and what their indexes have lost is found", async () => {
  const before = descriptors();
  {
    await using engine = await open();
    await forEachTenant((number) => remember(as(engine, number), wordsOf(number, 3)));
    expect(descriptors() - before).toBeLessThan(40);
    expect((await filesIn()).length).toBeLessThan(20);
    // Far more tenants than have indexes open at once: those of the first were closed, and are empty.
    await remember(as(engine, 0), wordsOf(tenants, 1));
    await expectAll(as(engine, 0), [...wordsOf(0, 3), ...wordsOf(tenants, 1)]);
    const { findings, counts } = await as(engine, 0).maintenance.verify();
    expect([findings, counts["rows"]]).toEqual([[], 8]);
  }
  await using engine = await open();
  await forEachTenant((number) => expectAll(as(engine, number), wordsOf(number, 1)));
  expect(descriptors() - before).toBeLessThan(40);
  expect((await filesIn()).length).toBeLessThan(20);
  expect(problems).toEqual([]);
});

test("indexes of many tenants with few memories move into files that keep none of them", async () => {
  await using engine = await open("memory");
  // More than have indexes open at once.
  const count = 100;
  await forEachTenant((number) => remember(as(engine, number), wordsOf(number, 1)), count);
  const { counts } = await as(engine, 0).maintenance.reindex({ to: "embedded" });
  expect([counts["tenants"], counts["changes"]]).toEqual([count, count]);
  await expectAll(as(engine, 7), wordsOf(7, 1));
  expect((await filesIn()).filter((name) => name.startsWith("log-"))).toEqual([]);
  expect(problems).toEqual([]);
});

test("a tenant that has more memories by and by gets files, with all of them, and finds the same", async () => {
  const words = wordsOf(0, 200);
  {
    await using engine = await open();
    for (let start = 0; start < words.length; start += 40)
      await remember(as(engine, 0), words.slice(start, start + 40));
    const [forgotten] = (await as(engine, 0).memories.list({ scopes: ["global"] })).memories;
    await as(engine, 0).memories.forget(forgotten?.id as never);
    await as(engine, 0).settled();
    expect((await filesIn()).filter((name) => /^log-\d+$/.test(name)).length).toBe(2);
  }
  await using engine = await open();
  await expectAll(
    as(engine, 0),
    [0, 20, 39, 40, 120, 150, 180].map((place) => words[place] as string),
  );
  const { findings, counts } = await as(engine, 0).maintenance.verify();
  expect([findings, counts["rows"]]).toEqual([[], 2 * (words.length - 1)]);
});
