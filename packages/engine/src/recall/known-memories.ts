import { type QueryTerms, type RecallCandidate, termCount } from "@loci/core";
import { Bm25, type Bm25Statistics, type Filter, type Instant, type Ref, type TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { type IndexFields, matchesFilter } from "@loci/store";
import { TextPace } from "../calls/text-pace.ts";
import type { CandidateSource } from "./candidate-source.ts";
import type { IndexServices } from "../projections/index-services.ts";
import { nearnessOf } from "./nearness.ts";
import { bestByWords, promisingRows, type ScoredRow } from "./promising-rows.ts";
import type { RecallCall } from "./recall-call.ts";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";
import type { FoundRow, FoundRows } from "./found-rows.ts";
import { slotPlaceKey } from "./slot-places.ts";

/** Most memories that one recall looks at. */
export const maxKnownMemories = 20_000;

const rowsPerTurn = 256;

/** A request that says when. */
export type KnownRequest = CheckedRecallRequest & { readonly knownAt: Instant };

/** What was known, and the numbers its words are ranked by. */
export interface KnownMemories extends CandidateSource {
  /** Over everything that was known in the scopes. */
  readonly statistics: Bm25Statistics;
}

interface KnownRow extends FoundRow {
  readonly stored: StoredMemory;
  readonly fields: IndexFields;
  /** How often each term of the question stands in it. */
  readonly frequencies: readonly number[];
  readonly length: number;
}

/** What is asked, by words and by meaning. */
interface KnownQuery {
  readonly terms: QueryTerms;
  readonly vectors: readonly Float32Array[];
}

/** @throws LociError `TOO_MANY_VERSIONS` */
export function readKnownMemories(
  ledger: Ledger,
  tenant: TenantId,
  { scopes, knownAt }: KnownRequest,
  signal: AbortSignal,
): Promise<readonly StoredMemory[]> {
  return ledger.asKnownAt(tenant, { scopes, knownAt, limit: maxKnownMemories }, { signal });
}

/**
 * The memories as they were known at a time. No index holds them, so each one is looked at: its words, and the embedding of
 * record of its text. Takes turns with whatever else the process does.
 */
export async function scanKnownMemories(
  services: IndexServices,
  { principal: { tenant }, request, signal }: RecallCall<KnownRequest>,
  query: KnownQuery,
): Promise<KnownMemories> {
  const known = await readKnownMemories(services.ledger, tenant, request, signal);
  const pace = new TextPace(() => services.thread.next(tenant, signal));
  const rows: KnownRow[] = [];
  for (let start = 0; start < known.length; start += rowsPerTurn) {
    const some = known.slice(start, start + rowsPerTurn);
    rows.push(...(await scanSome(services, tenant, some, { ...query, pace, signal })));
  }
  const statistics = statisticsOf(rows, query.terms);
  const { relevanceWeight } = services.embedder;
  const procedures = rows.filter(({ stored }) => stored.memory.category === "procedure");
  return {
    statistics,
    search: async (where, limit) => searchRows(rows, { where, limit }, query, { statistics, relevanceWeight }),
    memories: async (refs) => {
      const wanted = new Set(refs);
      return new Map(rows.filter(({ ref }) => wanted.has(ref)).map(({ ref, stored }) => [ref, stored]));
    },
    procedureTags: async () => [...new Set(procedures.flatMap(({ stored }) => lowerCaseTags(stored)))],
    procedures: (tag) =>
      onePage(procedures.map(({ stored }) => stored).filter((stored) => lowerCaseTags(stored).includes(tag))),
    atPositions: async (places) => {
      const wanted = new Set(places.map(({ sourceId, position }) => `${sourceId}\n${position}`));
      return rows
        .map(({ stored }) => stored)
        .filter(({ memory: { provenance } }) => wanted.has(`${provenance?.sourceId}\n${provenance?.position}`));
    },
    valuesAtSlots: async (places) => {
      const wanted = new Set(places.map(slotPlaceKey));
      return rows
        .map(({ stored }) => stored)
        .filter(({ memory: { scope, slot } }) => slot !== undefined && wanted.has(slotPlaceKey({ scope, slot })));
    },
    slotValues: async (slots) => {
      const wanted = new Set(slots);
      return rows.map(({ stored }) => stored).filter(({ memory: { slot } }) => slot !== undefined && wanted.has(slot));
    },
    complete: (resolved) => completeRows(services, tenant, { resolved, rows }, signal),
    // All of them have been read.
    read: async (candidates) => candidates,
  };
}

async function scanSome(
  { ledger, space, analyses, metadata, thread }: IndexServices,
  tenant: TenantId,
  some: readonly StoredMemory[],
  { terms, vectors, pace, signal }: KnownQuery & { readonly pace: TextPace; readonly signal: AbortSignal },
): Promise<readonly KnownRow[]> {
  const hashes = [...new Set(some.map(({ contentHash }) => contentHash))];
  const embeddings = vectors.length === 0 ? undefined : await ledger.embeddings(tenant, space, hashes, { signal });
  const vectorsOf = some.map(({ contentHash }) => embeddings?.get(contentHash) ?? []);
  const nearness = await nearnessOf(thread, { tenant, queryVectors: vectors, signal }, vectorsOf);
  const rows: KnownRow[] = [];
  for (const [index, stored] of some.entries()) {
    const { memory } = stored;
    if (pace.isDue(memory.text)) await pace.rest();
    const ofText = analyses.analyser.analyse(memory.text);
    rows.push({
      ref: memory.id,
      version: memory.version,
      stored,
      fields: metadata.indexFieldsOf(memory),
      cosines: nearness[index],
      frequencies: terms.terms.map((term) => ofText.get(term) ?? 0),
      length: termCount(ofText),
    });
  }
  return rows;
}

/** How rare the question's words are among these alone. */
export function statisticsOf(
  rows: readonly Pick<RecallCandidate, "frequencies" | "length">[],
  { terms }: QueryTerms,
): Bm25Statistics {
  const documentFrequencies = terms.map(() => 0);
  let totalLength = 0;
  for (const { frequencies, length } of rows) {
    totalLength += length;
    for (let place = 0; place < terms.length; place++)
      if ((frequencies[place] as number) > 0) documentFrequencies[place] = (documentFrequencies[place] as number) + 1;
  }
  return { documents: rows.length, totalLength, documentFrequencies };
}

function searchRows(
  rows: readonly KnownRow[],
  { where, limit }: { readonly where: Filter; readonly limit: number },
  { terms, vectors }: KnownQuery,
  { statistics, relevanceWeight }: { readonly statistics: Bm25Statistics; readonly relevanceWeight: number },
): FoundRows {
  const selected = rows.filter(({ fields }) => matchesFilter(where, fields));
  const withVectors = vectors.length === 0 ? [] : selected.filter(({ cosines }) => cosines !== undefined);
  const ranking = new Bm25(statistics);
  const scores = selected.map(({ frequencies, length }) => ranking.termScores(frequencies, length));
  const { subQueries } = terms;
  const byWords = subQueries.map(({ terms: places }) => {
    const scored = selected.map((row, index): ScoredRow => {
      const { ref, version, cosines } = row;
      let score = 0;
      for (const place of places) score += scores[index]?.[place] ?? 0;
      return { ref, version, cosines, score };
    });
    return bestByWords(
      scored.filter(({ score }) => score > 0),
      selected.length + 1,
    );
  });
  const byMeaning = { rows: withVectors, isExhausted: true, unfoundCosines: [] };
  return promisingRows({ byMeaning, byWords, subQueries, relevanceWeight }, limit);
}

async function completeRows(
  { ledger, space }: IndexServices,
  tenant: TenantId,
  { resolved, rows }: { readonly resolved: readonly StoredMemory[]; readonly rows: readonly KnownRow[] },
  signal: AbortSignal,
): Promise<readonly RecallCandidate[]> {
  const hashes = [...new Set(resolved.map(({ contentHash }) => contentHash))];
  const embeddings = await ledger.embeddings(tenant, space, hashes, { signal });
  const rowsByRef = new Map<Ref, KnownRow>(rows.map((row) => [row.ref, row]));
  return resolved.map((stored): RecallCandidate => {
    const { cosines = [], frequencies = [], length = 0 } = rowsByRef.get(stored.memory.id) ?? {};
    const vectors = embeddings.get(stored.contentHash) ?? [];
    const { memory, recordedAt, usage } = asKnown(stored);
    return { memory, recordedAt, usage, cosines, vectors, frequencies, length };
  });
}

/** Uses are not part of what was known: nobody wrote down when they were. */
export function asKnown(stored: StoredMemory): StoredMemory {
  return { ...stored, usage: { accessCount: 0 } };
}

async function* onePage<Row>(page: Row): AsyncGenerator<Row> {
  yield page;
}

function lowerCaseTags({ memory }: StoredMemory): readonly string[] {
  return memory.tags.map((tag) => tag.toLowerCase());
}
