import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createHash } from "node:crypto";
import { type IndexKind, type Loci, type OpenedEngine, openEngine, roles, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WordEmbedder } from "./word-embedder.ts";

let parent: string;
let directory: string;
let problems: string[];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-identity-"));
  directory = join(parent, "data");
  problems = [];
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const durableKinds: readonly IndexKind[] = ["embedded", "lancedb"];

function open(index: IndexKind = "embedded", dataDirectory = directory): Promise<OpenedEngine> {
  return openEngine({
    dataDirectory,
    index,
    embedder: new WordEmbedder("words", 64),
    reportProblem: (error, activity) => void problems.push(`${activity}: ${String(error)}`),
  });
}

function as(engine: OpenedEngine, tenant = "acme"): Loci {
  return engine.for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] });
}

async function remember(engine: OpenedEngine, words: readonly string[], tenant = "acme"): Promise<void> {
  const inputs = words.map((word) => ({ text: `The word is ${word}.`, scope: "global" as const }));
  await as(engine, tenant).memories.rememberMany(inputs);
  await as(engine, tenant).settled();
}

/** So many that indexes have files of them: of few they are in memory alone. */
const many = Array.from({ length: 140 }, (_, number) => `filling${number}`);

/** Those of the words that are found. */
async function found(engine: OpenedEngine, words: readonly string[], tenant = "acme"): Promise<readonly string[]> {
  const all: string[] = [];
  for (const word of words) {
    const { hits, degraded } = await as(engine, tenant).recall({ query: word, scopes: ["global"] });
    expect(degraded).toEqual([]);
    if (hits.some(({ text }) => text.includes(word))) all.push(word);
  }
  return all;
}

const ledgerPath = (of = directory): string => join(of, "ledger.sqlite");

/** As another program would put a file in place of the ledger. */
function putBack(file: string): void {
  for (const suffix of ["-wal", "-shm"]) rmSync(`${ledgerPath()}${suffix}`, { force: true });
  copyFileSync(file, ledgerPath());
}

const early = ["apple", "banana", "cherry"];
const later = ["damson", "elder", "fig", "grape", "hazel"];
const newest = ["ivy", "juniper", "kale", "lemon", "mango", "nettle", "olive", "pear", "quince", "rosehip"];

test.each(durableKinds)("a ledger that was put back works at once, with indexes in %s", async (index) => {
  const copy = join(parent, "copy.sqlite");
  {
    await using engine = await open(index);
    await remember(engine, early);
  }
  copyFileSync(ledgerPath(), copy);
  {
    await using engine = await open(index);
    await remember(engine, later);
    await remember(engine, later, "newcomer");
  }
  putBack(copy);
  // More than were lost, so that the sequences alone would tell nothing afterwards.
  for (const words of [newest, []]) {
    await using engine = await open(index);
    await remember(engine, words);
    await remember(engine, words, "newcomer");
    const everything = [...early, ...later, ...newest];
    expect(await found(engine, everything)).toEqual([...early, ...newest]);
    expect(await found(engine, everything, "newcomer")).toEqual(newest);
    const { counts } = await as(engine).maintenance.verify();
    expect([counts["missing"], counts["foreign"], counts["rows"]]).toEqual([0, 0, 2 * (early.length + newest.length)]);
  }
  expect(problems).toEqual([]);
});

test("a ledger that was copied in use, and put back after a crash, works at once", async () => {
  const copy = join(parent, "copy.sqlite");
  const program = join(import.meta.dirname, "programs", "remember-then-die.ts");
  const { signal } = spawnSync(process.execPath, ["--conditions=@loci/source", program, directory, copy]);
  expect(signal).toBe("SIGKILL");
  putBack(copy);
  await using engine = await open();
  expect(await found(engine, ["before", "after"])).toEqual(["before"]);
  await remember(engine, newest);
  expect(await found(engine, ["before", "after", ...newest])).toEqual(["before", ...newest]);
});

test("indexes of another ledger are built anew", async () => {
  const other = join(parent, "other");
  for (const [at, words] of [
    [directory, early],
    [other, later],
  ] as const) {
    await using engine = await open("embedded", at);
    await remember(engine, [...words, ...many]);
  }
  rmSync(join(directory, "index"), { recursive: true });
  cpSync(join(other, "index"), join(directory, "index"), { recursive: true });
  {
    await using engine = await open();
    expect(await found(engine, [...early, ...later])).toEqual(early);
  }
  // A tenant's files alone, which the note of the whole place says nothing of.
  const name = createHash("sha256").update("acme").digest("hex").slice(0, 40);
  rmSync(join(directory, "index", name), { recursive: true });
  cpSync(join(other, "index", name), join(directory, "index", name), { recursive: true });
  const text = (at: string): string => join(at, "index", name, "text");
  expect(readdirSync(text(other))).not.toEqual([]);
  await using engine = await open();
  expect(await found(engine, [...early, ...later])).toEqual(early);
  await remember(engine, newest);
  expect(await found(engine, newest)).toEqual(newest);
  expect(problems.join()).toContain("another ledger");
});

test("two tenants' indexes that were swapped are noticed, and built anew", async () => {
  {
    await using engine = await open();
    await remember(engine, [...early, ...many], "acme");
    await remember(engine, [...later, ...many], "globex");
  }
  const [one, two] = ["acme", "globex"].map((tenant) =>
    join(directory, "index", createHash("sha256").update(tenant).digest("hex").slice(0, 40)),
  ) as [string, string];
  renameSync(one, `${one}.moved`);
  renameSync(two, one);
  renameSync(`${one}.moved`, two);
  await using engine = await open();
  expect(await found(engine, [...early, ...later], "acme")).toEqual(early);
  expect(await found(engine, [...early, ...later], "globex")).toEqual(later);
  await as(engine, "acme").settled();
  expect((await as(engine, "acme").maintenance.verify()).findings).toEqual([]);
  expect(problems.join()).toContain("another tenant");
});

test("an empty ledger beside indexes is refused, with what to do", async () => {
  {
    await using engine = await open();
    await remember(engine, early);
  }
  renameSync(ledgerPath(), join(parent, "kept.sqlite"));
  // Twice: the first time makes an empty file.
  for (let time = 0; time < 2; time++)
    await expect(open()).rejects.toMatchObject({
      reason: "DATA_DIRECTORY_CORRUPT",
      message: expect.stringContaining("The ledger is empty"),
      advice: expect.stringContaining("remove the indexes"),
    });
  putBack(join(parent, "kept.sqlite"));
  {
    await using engine = await open();
    expect(await found(engine, early)).toEqual(early);
  }
  rmSync(ledgerPath());
  rmSync(join(directory, "index"), { recursive: true });
  await using engine = await open();
  await remember(engine, later);
  expect(await found(engine, [...early, ...later])).toEqual(later);
});

test("an empty ledger beside indexes of a version that noted nothing is refused too", async () => {
  {
    await using engine = await open();
    await remember(engine, [...early, ...many]);
  }
  rmSync(ledgerPath());
  rmSync(join(directory, "index", "ledger.json"));
  await expect(open()).rejects.toMatchObject({ reason: "DATA_DIRECTORY_CORRUPT" });
});

/** As a version has left a directory that noted nothing in it. */
function removeNotes(): void {
  rmSync(join(directory, "index", "ledger.json"));
  const database = new DatabaseSync(ledgerPath());
  database.exec("DELETE FROM settings WHERE name LIKE 'index-history:%' OR name IN ('turn-ids', 'index_owner')");
  database.close();
}

test("a directory of a version that noted nothing opens as it is, and is built anew when its ledger was put back", async () => {
  const copy = join(parent, "copy.sqlite");
  {
    await using engine = await open();
    await remember(engine, early);
  }
  removeNotes();
  copyFileSync(ledgerPath(), copy);
  {
    await using engine = await open();
    expect(await found(engine, early)).toEqual(early);
    await remember(engine, later);
  }
  removeNotes();
  putBack(copy);
  await using engine = await open();
  await remember(engine, newest);
  expect(await found(engine, [...early, ...later, ...newest])).toEqual([...early, ...newest]);
});

test("an embedding cache is read by the ledger that wrote it, and by no other", async () => {
  const embedded = async (dataDirectory: string): Promise<number> => {
    const embedder = new WordEmbedder("words", 64);
    await using engine = await openEngine({ dataDirectory, index: "memory", embedder });
    await as(engine).recall({ query: "apple", scopes: ["global"] });
    return embedder.queries;
  };
  const other = join(parent, "other");
  expect([await embedded(directory), await embedded(other)]).toEqual([1, 1]);
  // The second layer, in the ledger, would hide what the file does.
  const forget = (of: string): void => {
    const database = new DatabaseSync(ledgerPath(of));
    database.exec("DELETE FROM embedding_cache");
    database.close();
  };
  forget(directory);
  expect(await embedded(directory)).toBe(0);
  forget(directory);
  copyFileSync(join(other, "embeddings.cache"), join(directory, "embeddings.cache"));
  expect(await embedded(directory)).toBe(1);
});

test("a directory without memories opens again and again", async () => {
  for (let time = 0; time < 3; time++) {
    await using engine = await open();
    expect(await found(engine, early)).toEqual([]);
  }
  rmSync(ledgerPath());
  await using engine = await open();
  await remember(engine, early);
  expect(await found(engine, early)).toEqual(early);
});

test("the indexes are not built again when nothing has happened to them", async () => {
  const manifests = (): readonly string[] =>
    readdirSync(join(directory, "index"), { recursive: true, encoding: "utf8" })
      .filter((name) => /(text|vectors-[^/]*)$/.test(name))
      .toSorted();
  {
    await using engine = await open();
    await remember(engine, [...early, ...many]);
  }
  const before = manifests();
  expect(before.length).toBe(2);
  for (let time = 0; time < 2; time++) {
    await using engine = await open();
    expect(await found(engine, early)).toEqual(early);
  }
  expect(manifests()).toEqual(before);
});

test("whatever is changed in the record of a collection, it opens", async () => {
  {
    await using engine = await open();
    await remember(engine, [...early, ...many]);
  }
  const collections = join(directory, "index", "collections");
  const path = join(collections, readdirSync(collections)[0] as string);
  const written = readFileSync(path, "utf8");
  const places = [...written.matchAll(/\d/g)].map(({ index }) => index);
  expect(places.length).toBeGreaterThan(10);
  for (const place of [places[0], places[1], places[Math.floor(places.length / 2)], places.at(-1)]) {
    const digit = String((Number(written[place as number]) + 1) % 10);
    writeFileSync(path, written.slice(0, place) + digit + written.slice((place as number) + 1));
    await using engine = await open();
    expect(await found(engine, early)).toEqual(early);
    await as(engine).settled();
  }
  const vectors = readdirSync(join(directory, "index"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /vectors-[^/]*$/.test(name),
  );
  // What the damaged records named is gone.
  expect(vectors.length).toBe(1);
});
