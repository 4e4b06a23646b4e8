import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type NonEmpty, type Ref, tenantId } from "@loci/domain";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { vectorsOfRecord } from "@loci/loci";
import { type CollectionId, collectionId, type VectorCollection } from "@loci/store";
import { openEmbeddedStore } from "@loci/store-embedded";
import { type ClusteredData, clusteredTenant, questionCount } from "../data/clustered-loci.ts";
import { allScopes, type ClusteredQuestion, clusteredQuestion, exactNearest } from "../data/clustered-question.ts";
import { measureCalls } from "../measure/measure-calls.ts";
import { directorySize } from "./directory-size.ts";
import type { IndexFigure } from "./index-figure.ts";

const tenant = tenantId(clusteredTenant);
/** Candidates of each question, as a prototype's figures were taken. */
const limit = 60;
/** Candidates that a recall asks for, of each kind; it reads the vectors of those that matter later. */
const recallLimit = 200;
const recallDepth = 10;
/** Of a prompt and its eight sentences. A recall asks for as many fewer of each as the root of this. */
const subQueries = 9;
const questionsCompared = 10;
const warmQuestions = 20;

/** The embedded index on a ledger, without the engine: what its two searches cost, and what it takes to be open. */
export async function measureIndex(data: ClusteredData): Promise<readonly IndexFigure[]> {
  const { dimensions, directory } = data;
  const baseline = process.memoryUsage.rss();
  const ledger = await openSqliteLedger({ directory });
  const store = await openEmbeddedStore({ directory: join(directory, "index"), exactVectors: vectorsOfRecord(ledger) });
  const space = { provider: "benchmark", model: "clustered", dimensions, version: "1" };
  const begun = performance.now();
  const collection = await store.vectorStore.openCollection(collectionIn(join(directory, "index")), space);
  await collection.checkpoint(tenant);
  await store.textIndex.checkpoint(tenant);
  const openSeconds = (performance.now() - begun) / 1000;
  const memory = (process.memoryUsage.rss() - baseline) / 2 ** 20;

  const questions = Array.from({ length: questionCount }, (_, number) => clusteredQuestion(data, number));
  const asked = (number: number): ClusteredQuestion => questions[number % questionCount] as ClusteredQuestion;
  const vectorsFrom = (number: number, count: number): NonEmpty<Float32Array> =>
    Array.from({ length: count }, (_, at) => asked(number + at).vector) as unknown as NonEmpty<Float32Array>;
  const vectors = (number: number, count: number): Promise<unknown> =>
    collection.search({ tenant, scopes: asked(number).scopes, vectors: vectorsFrom(number, count), limit });
  const both = (number: number): Promise<unknown> =>
    Promise.all([
      vectors(number, 1),
      store.textIndex.search({ tenant, scopes: asked(number).scopes, terms: asked(number).terms, limit }),
    ]);
  const bounded = (number: number): Promise<unknown> => {
    const { scopes, vector, terms } = asked(number);
    return Promise.all([
      collection.search({ tenant, scopes, vectors: [vector], limit: recallLimit, bounds: true }),
      store.textIndex.search({ tenant, scopes, terms, limit: recallLimit }),
    ]);
  };
  const nineBounded = (number: number): Promise<unknown> => {
    const ofEach = Math.ceil(recallLimit / Math.sqrt(subQueries));
    const own = vectorsFrom(number, subQueries);
    return collection.search({ tenant, scopes: asked(number).scopes, vectors: own, limit: ofEach, bounds: true });
  };
  const everywhere = allScopes(data);
  const all = (number: number): Promise<unknown> =>
    collection.search({ tenant, scopes: everywhere, vectors: [asked(number).vector], limit: recallDepth });

  const isLarge = dimensions > 384;
  const numbers = [...range(warmQuestions, questionCount)];
  for (const number of range(0, warmQuestions))
    await Promise.all([both(number), vectors(number, subQueries), all(number)]);
  const first = await measureCalls(numbers, both);
  const again = await measureCalls(numbers, both);
  const asRecall = await measureCalls(numbers, bounded);
  const nine = await measureCalls(range(0, 60), (number) => vectors(number, subQueries));
  const nineAsRecall = await measureCalls(range(0, 60), nineBounded);
  const broad = await measureCalls(range(0, 60), all);
  const exact = await recallOf(data, collection, questions, false);
  const broadRecall = await recallOf(data, collection, questions, true);
  await store.close();
  await ledger.close();
  return [
    { name: "open the index", value: openSeconds, unit: "s", target: { most: 2 } },
    { name: "memory of the open index", value: memory, unit: "MiB", target: { most: 700 } },
    {
      name: "candidates, asked for the first time",
      calls: first,
      target: isLarge ? { p50: 4, p99: 8 } : { p50: 1, p99: 2 },
    },
    { name: "candidates, asked again", calls: again, target: isLarge ? { p50: 4, p99: 8 } : { p50: 1, p99: 2 } },
    {
      name: "candidates with bounds, as recall asks",
      calls: asRecall,
      target: isLarge ? { p50: 4, p99: 8 } : { p50: 1, p99: 2 },
    },
    { name: "candidates of nine sub-queries", calls: nine, target: isLarge ? { p50: 20 } : { p50: 3 } },
    { name: "the same with bounds, as recall asks", calls: nineAsRecall, target: isLarge ? { p50: 20 } : { p50: 3 } },
    { name: "one vector, all rows", calls: broad, ...(isLarge ? { target: { p50: 15, p99: 25 } } : {}) },
    { name: "recall@10 of the candidates", value: exact, unit: "share", target: { least: 1 } },
    { name: "recall@10, all rows", value: broadRecall, unit: "share", target: { least: 0.99 } },
    { name: "disk in all", value: directorySize(directory) / 1e9, unit: "GB", target: { most: 2.2 } },
  ];
}

/** The one collection that the engine has made. Its name is that of its file, before a checksum. */
function collectionIn(directory: string): CollectionId {
  const [file] = readdirSync(join(directory, "collections"));
  return collectionId((file ?? "").replace(/-[0-9a-f]{8}\.json$/u, ""));
}

/** The share of the exact best ten that are among the ten found. The n-th memory remembered has the n-th ref. */
async function recallOf(
  data: ClusteredData,
  collection: VectorCollection,
  questions: readonly ClusteredQuestion[],
  isBroad: boolean,
): Promise<number> {
  const refs: Ref[] = [];
  for await (const { ref } of collection.refs(tenant)) refs.push(ref);
  refs.sort();
  let found = 0;
  for (const { scopes: own, vector } of questions.slice(0, questionsCompared)) {
    const scopes = isBroad ? allScopes(data) : own;
    const best = exactNearest(data, scopes, vector, recallDepth);
    const hits = new Set(
      (await collection.search({ tenant, scopes, vectors: [vector], limit: recallDepth })).map(({ ref }) => ref),
    );
    found += best.filter((index) => hits.has(refs[index] as Ref)).length;
  }
  return found / (recallDepth * questionsCompared);
}

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number++) yield number;
}
