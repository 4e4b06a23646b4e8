import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tenantId } from "@loci/domain";
import { CachedEmbedder, openLocalEmbedder } from "@loci/embedding";
import { createEngine } from "@loci/engine";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import type { IndexChoice, RememberInput } from "@loci/loci";
import type { VectorCollection, VectorStore } from "@loci/store";
import { openTestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Closers } from "../src/closers.ts";
import { openIndexes } from "../src/indexes/open-indexes.ts";

const scopes = ["user:a", "global"] as const;
const subjects = [
  "ledger",
  "deploy",
  "billing",
  "cache",
  "invoice",
  "latency",
  "orchard",
  "harbour",
  "violin",
  "glacier",
];
const deeds = ["moves to", "waits for", "was broken by", "is paid with", "comes before", "was named after", "replaces"];
const evaluationTime = 1_800_000_000_000;

/** Facts, and every fourth a turn of a conversation: how rare a word is depends on all that a recall looks at. */
const memories = Array.from({ length: 400 }, (_, number): RememberInput => {
  const [first, second, third] = [number, number * 7 + 3, number * 3 + Math.floor(number / 10)].map(
    (place) => subjects[place % subjects.length],
  );
  const text = `The ${first} ${deeds[number % deeds.length]} the ${second} and the ${third} in case ${number % 83}.`;
  const common = { text, scope: scopes[number % 5 === 0 ? 1 : 0], createdAt: 1_790_000_000_000 + number * 60_000 };
  if (number % 4 !== 0) return common;
  const position = Math.floor(number / 48);
  return { ...common, provenance: { kind: "conversation", sourceId: `chat-${number % 12}`, position } };
});
const questions = subjects.map(
  (subject, number) => `Which ${subject} was it that the ${subjects[9 - number]} replaces?`,
);

/** A store that is never asked for bounds. */
function withoutBounds(store: VectorStore): VectorStore {
  const openCollection: VectorStore["openCollection"] = async (...call) => {
    const collection = await store.openCollection(...call);
    const search: VectorCollection["search"] = (request, options) =>
      collection.search({ ...request, bounds: false }, options);
    return changed(collection, { search });
  };
  return changed(store, { openCollection });
}

function changed<Changed extends object>(what: Changed, members: Partial<Changed>): Changed {
  return new Proxy(what, {
    get(target, name) {
      const value: unknown = Reflect.get(Object.hasOwn(members, name) ? members : target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** One for all, which embeds each text once. */
let embedder: CachedEmbedder;

/** Texts and scores of the hits of each question. Ids are made anew in each ledger. */
async function answersOf(
  index: IndexChoice,
  change = (store: VectorStore): VectorStore => store,
): Promise<readonly unknown[]> {
  const closers = new Closers();
  try {
    const directory = await mkdtemp(join(tmpdir(), "loci-same-answers-"));
    closers.add(() => rm(directory, { recursive: true, force: true }));
    const ledger = await openSqliteLedger({ directory });
    closers.add(() => ledger.close());
    const indexes = await openIndexes(index, { directory, ledger, reportProblem: () => undefined });
    closers.add(() => indexes.close());
    const { textIndex } = indexes;
    await using engine = await createEngine({ ledger, embedder, vectorStore: change(indexes.vectorStore), textIndex });
    const loci = engine.for({
      tenant: tenantId("local"),
      subject: "asking",
      roles: ["read", "write"],
      scopePatterns: ["*"],
    });
    await loci.memories.rememberMany(memories);
    await loci.settled();
    const answers: unknown[] = [];
    for (const query of questions) {
      // oxlint-disable-next-line no-await-in-loop -- One after the other, so that the indexes come to keep what is searched.
      const { hits } = await loci.recall({ query, scopes, evaluationTime });
      answers.push(hits.map(({ memory, score }) => [memory.text, score]));
    }
    return answers;
  } finally {
    await closers.close();
  }
}

let expected: readonly unknown[];
beforeAll(async () => {
  embedder = new CachedEmbedder({ embedder: await openLocalEmbedder() });
  expected = await answersOf("memory");
});

afterAll(() => embedder.close());

test("files answer as indexes in memory do once their cosines are exact, and else choose others at the edge", async () => {
  expect(await answersOf("embedded", withoutBounds)).toEqual(expected);
  for (const answer of expected) expect(answer).not.toEqual([]);
  // Or the questions would not tell.
  expect(await answersOf("embedded")).not.toEqual(expected);
});

test("PostgreSQL answers as indexes in memory do, whether it is asked or the rows are kept", async () => {
  await using database = await openTestDatabase();
  const { connectionString, maxConnections } = database;
  const index = { kind: "pgvector", connectionString, maxConnections } as const;
  expect(await answersOf({ ...index, schema: "asked", keptBytes: 0 })).toEqual(expected);
  expect(await answersOf({ ...index, schema: "kept", keepingPatience: 0 })).toEqual(expected);
});
