import type { Ref, Scope } from "@loci/domain";
import type { VectorCollection } from "@loci/store";
import { clusteredChanges, refOf } from "../data/clustered-changes.ts";
import { type ClusteredData, questionCount } from "../data/clustered-loci.ts";
import { allScopes, type ClusteredQuestion, clusteredQuestion, exactNearest } from "../data/clustered-question.ts";
import { measureCalls, measureInTurns } from "../measure/measure-calls.ts";
import { openBareSearch } from "./bare-search.ts";
import { fillStore, openMeasuredCollection, tenant } from "./fill-store.ts";
import { type StoreKind, measuredKind } from "./measured-kinds.ts";
import { openMeasuredStore, type StorePlace } from "./measured-store.ts";
import { trafficOfOne, trafficSoFar } from "./count-traffic.ts";
import type { SearchFigures } from "./store-figures.ts";

const limit = 60;
const depth = 10;
const warmQuestions = 10;
const broadQuestions = 20;
const updates = 30;
/** Of the exact comparison, by scopes. All rows take longer. */
const compared = 40;
const broadCompared = 20;

/** Opens a full store and asks it. One that keeps nothing is filled first. */
export async function measureSearch(
  kind: StoreKind,
  place: StorePlace,
  data: ClusteredData,
  onProgress: (step: string, done: number) => void,
): Promise<SearchFigures> {
  const questions = Array.from({ length: questionCount }, (_, number) => clusteredQuestion(data, number));
  const asked = (number: number): ClusteredQuestion => questions[number % questionCount] as ClusteredQuestion;
  globalThis.gc?.();
  const baseline = process.memoryUsage.rss();
  const store = await openMeasuredStore(kind, place, data);
  const { capabilities } = store.vectorStore;
  if (!capabilities.durable) await fillStore(store, data, onProgress);
  const collection = await openMeasuredCollection(store, data);
  await using bare = await openBareSearch(kind, place, tenant, limit);
  const usage = bare?.usage;
  const serverCpu = usage === undefined ? undefined : (): number => usage.cpuMilliseconds();

  const exact = (number: number, bounds = false): Promise<unknown> =>
    collection.search({ tenant, scopes: asked(number).scopes, vectors: [asked(number).vector], limit, bounds });
  /** As a recall asks: it reads the vectors that matter from the ledger. */
  const nearest = (number: number): Promise<unknown> => exact(number, true);
  const both = async (number: number): Promise<void> => {
    const { scopes, terms } = asked(number);
    await Promise.all([nearest(number), store.textIndex.search({ tenant, scopes, terms, limit })]);
  };
  const scopes = allScopes(data);
  const all = (number: number): Promise<unknown> =>
    collection.search({ tenant, scopes, vectors: [asked(number).vector], limit: depth });

  for (const number of range(0, warmQuestions)) await both(number);
  onProgress("warm", warmQuestions);
  const beforeSearches = trafficSoFar();
  const candidates = await measureCalls(range(warmQuestions, questionCount), both, serverCpu);
  const search = trafficOfOne(beforeSearches, questionCount - warmQuestions);
  onProgress("candidates", questionCount);
  const broad = await measureCalls(range(0, broadQuestions), all, serverCpu);
  onProgress("all rows", broadQuestions);
  // Of the graph there is no like query: how far it looks depends on the store's `exactRows`.
  const overhead =
    bare === undefined || measuredKind(kind).isVariant
      ? undefined
      : await measureInTurns(
          range(0, questionCount),
          [(number) => bare.search(asked(number)), nearest, exact],
          serverCpu,
        );
  globalThis.gc?.();
  const memory = (process.memoryUsage.rss() - baseline) / 2 ** 20;
  const serverMemory = usage?.memory();
  const agreement = await agreementOf(data, collection, questions.slice(0, compared));
  const everywhere = questions.slice(0, broadCompared).map((question) => ({ ...question, scopes }));
  const broadAgreement = await agreementOf(data, collection, everywhere);
  onProgress("compared", compared);

  const rows = data.memories.scopes.length;
  const changes = Array.from({ length: updates }, (_, at) => clusteredChanges(data, (at * 97) % rows, 1, 2));
  const beforeUpdates = trafficSoFar();
  const update = await measureCalls(
    range(0, updates),
    async (number) => {
      const change = changes[number] ?? [];
      await collection.apply(tenant, change, rows + number + 1);
      await store.textIndex.apply(tenant, change, rows + number + 1);
    },
    serverCpu,
  );
  const traffic = { search, update: trafficOfOne(beforeUpdates, updates) };
  await store.close();
  const [theirs, ours, oursExactly] = overhead ?? [];
  return {
    capabilities,
    memory,
    ...(serverMemory === undefined ? {} : { serverMemory }),
    candidates,
    broad,
    agreement,
    broadAgreement,
    update,
    ...(theirs === undefined || ours === undefined || oursExactly === undefined
      ? {}
      : { overhead: { bare: theirs, ours, exact: oursExactly } }),
    ...(measuredKind(kind).server === "emulator" ? { traffic } : {}),
  };
}

/** The share of the exact best ten that are among the ten found. */
async function agreementOf(
  data: ClusteredData,
  collection: VectorCollection,
  questions: readonly { readonly scopes: ClusteredQuestion["scopes"]; readonly vector: Float32Array }[],
): Promise<number> {
  let found = 0;
  let wanted = 0;
  for (const { scopes, vector } of questions) {
    const best = exactNearest(data, scopes satisfies readonly Scope[], vector, depth);
    const hits = await collection.search({ tenant, scopes, vectors: [vector], limit: depth });
    const refs = new Set<Ref>(hits.map(({ ref }) => ref));
    found += best.filter((number) => refs.has(refOf(number))).length;
    wanted += best.length;
  }
  return found / wanted;
}

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number++) yield number;
}
