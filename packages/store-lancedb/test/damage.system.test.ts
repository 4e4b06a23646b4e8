import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LociError, Sequence } from "@loci/domain";
import type { TextHit, VectorHit } from "@loci/store";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLanceStore } from "../src/index.ts";
import { acme, changeAt, mainCollection, space, vectorNumber } from "./sample-changes.ts";

const last = 120;
const scopes = [
  { kind: "user", id: "u0" },
  { kind: "user", id: "u1" },
  { kind: "user", id: "u2" },
  { kind: "user", id: "u3" },
] as const;
let parent: string;

interface Answers {
  readonly vectors: readonly VectorHit[];
  readonly texts: readonly TextHit[];
}

interface Opening {
  readonly answers: Answers;
  readonly problems: readonly LociError[];
  /** Where the indexes stood when they were opened. */
  readonly checkpoints: readonly Sequence[];
}

/** Opens a directory, brings its indexes up to date as a drainer would, and asks both. */
async function open(directory: string): Promise<Opening> {
  const problems: LociError[] = [];
  const store = await openLanceStore({ directory, reportProblem: (problem) => problems.push(problem) });
  const vectors = await store.vectorStore.openCollection(mainCollection, space);
  const checkpoints: Sequence[] = [];
  for (const projection of [vectors, store.textIndex]) {
    const checkpoint = await projection.checkpoint(acme);
    checkpoints.push(checkpoint);
    for (let through = checkpoint + 40; through <= last; through += 40) {
      const changes = Array.from({ length: 40 }, (_, index) => changeAt(through - 39 + index));
      await projection.apply(acme, changes, through);
      if (through === 80) await projection.maintain();
    }
  }
  const request = { tenant: acme, scopes, limit: 50 };
  const answers = {
    vectors: await vectors.search({ ...request, vectors: [vectorNumber(3)] }),
    texts: await store.textIndex.search({ ...request, terms: ["word1", "word2"] }),
  };
  await store.close();
  return { answers, problems, checkpoints };
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "lancedb-damage-"));
});
afterAll(() => rm(parent, { recursive: true, force: true }));

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  "cut short": async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
  removed: (file) => rm(file),
  "changed by one bit at 60%": (file) => flipBit(file, 0.6),
  "changed by one bit at the end": (file) => flipBit(file, 1),
};

test("any file damaged in any way: noticed when opened, built again, and what is found is the same", async () => {
  const intact = join(parent, "intact");
  const expected = await open(intact);
  expect(expected.answers.vectors).toHaveLength(50);
  expect(expected.answers.texts.length).toBeGreaterThan(10);
  expect((await open(intact)).checkpoints).toEqual([last, last]);
  const files = await tableFiles(intact);
  const kinds = new Set(files.map(kindOf));
  expect(kinds).toEqual(new Set(["_deletions", "_indices", "_transactions", "_versions", "data"]));
  // Three files of each kind at most, each damaged in another of the ways.
  const victims = Object.values(Object.groupBy(files, kindOf)).flatMap((some = []) => some.slice(0, 3));
  for (const [number, file] of victims.entries()) {
    const [name, damage] = Object.entries(damages)[number % 4]!;
    const victim = join(parent, `victim-${number}`);
    await cp(intact, victim, { recursive: true });
    await damage(join(victim, file));
    const opened = await open(victim);
    expect(
      opened.problems.map(({ reason }) => reason),
      `${file} ${name}`,
    ).toEqual(["DATA_DIRECTORY_CORRUPT"]);
    expect(new Set(opened.checkpoints)).toEqual(new Set([0, last]));
    expect(opened.answers).toEqual(expected.answers);
    await rm(victim, { recursive: true });
  }
}, 120_000);

test("files that were never acknowledged are no part of what is opened", async () => {
  const before = join(parent, "before");
  await open(before);
  const stale = join(parent, "stale");
  await cp(before, stale, { recursive: true });
  const store = await openLanceStore({ directory: stale });
  await store.textIndex.apply(acme, [changeAt(last + 1)], last + 1);
  await store.close();
  // As after a crash behind LanceDB's commit: its files are there, the record knows nothing of them.
  await cp(join(before, "record.sqlite"), join(stale, "record.sqlite"));
  expect((await open(stale)).checkpoints).toEqual([last, last]);
  expect((await tableFiles(stale)).toSorted()).toEqual((await tableFiles(before)).toSorted());
});

test("a record that is no record: everything begins anew", async () => {
  const directory = join(parent, "record");
  const { answers } = await open(directory);
  await flipBit(join(directory, "record.sqlite"), 0);
  const opened = await open(directory);
  expect(opened.problems.map(({ reason }) => reason)).toEqual(["DATA_DIRECTORY_CORRUPT"]);
  expect(opened.checkpoints).toEqual([0, 0]);
  expect(opened.answers).toEqual(answers);
});

function kindOf(file: string): string {
  return /\.lance\/(\w+)\//.exec(file)?.[1] ?? "";
}

/** The files that stay as they were written. */
async function tableFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(join(directory, "tables"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "latest_version_hint.json")
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

async function flipBit(file: string, place: number): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.round(place * (bytes.length - 1));
  bytes[at] = bytes[at]! ^ 0x10;
  await writeFile(file, bytes);
}
