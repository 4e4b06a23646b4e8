import type { QueryTerms } from "@loci/core";
import {
  Bm25,
  type Bm25Statistics,
  type Filter,
  formatScope,
  isNonEmpty,
  type NonEmpty,
  type Scope,
  type ScopeText,
  type TenantId,
} from "@loci/domain";
import { matchesFilter, type VectorStoreCapabilities } from "@loci/store";
import type { Overlay, OverlayRow } from "../projections/overlay.ts";
import {
  bestByWords,
  type FoundByMeaning,
  type FoundByWords,
  promisingRows,
  type ScoredRow,
} from "./promising-rows.ts";
import type { FoundRow, FoundRows } from "./found-rows.ts";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import { nearnessOf } from "./nearness.ts";
import type { SearchedIndexes } from "../projections/searched-indexes.ts";

/** A question as it is searched with. */
export interface SearchQuery {
  readonly terms: QueryTerms;
  /** One for each sub-query; none when the embedder did not answer. */
  readonly vectors: readonly Float32Array[];
  /** Of all the terms, with the overlay in them. */
  readonly statistics: Bm25Statistics;
}

export interface CandidateSearch {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  readonly where: Filter | undefined;
  readonly query: SearchQuery;
  readonly overlay: Overlay;
  /** The most promising so many, out of the best so many of each sub-query by meaning and by words. */
  readonly limit: number;
  /** Weight of the cosine in relevance, 0 to 1. */
  readonly relevanceWeight: number;
}

export interface CandidateIndexes extends SearchedIndexes {
  readonly vectorCapabilities: VectorStoreCapabilities;
  readonly thread: ThreadTurns;
}

/**
 * The most promising rows by meaning and by words, as the indexes would give them if they had caught up: what they say about
 * memories in the overlay is left out, the overlay's rows are scored exactly, and all are cut to the limit together.
 */
export async function searchCandidates(
  indexes: CandidateIndexes,
  search: CandidateSearch,
  signal: AbortSignal,
): Promise<FoundRows> {
  const scopes = new Set(search.scopes.map(formatScope));
  const overlayRows = [...search.overlay.rows.values()].filter((row) => isSelected(row, scopes, search.where));
  const { subQueries } = search.query.terms;
  const ofEach = { ...search, limit: limitOfEach(search.limit, subQueries.length) };
  const [byMeaning, ...byWords] = await Promise.all([
    searchByMeaning(indexes, ofEach, overlayRows, signal),
    ...subQueries.map(({ terms }) => searchByWords(indexes, { ...ofEach, places: terms }, overlayRows, signal)),
  ]);
  const found = promisingRows(
    { byMeaning, byWords, subQueries, relevanceWeight: search.relevanceWeight },
    search.limit,
  );
  const isWhole = !search.overlay.isIncomplete && indexes.hasVectors?.() !== false;
  const canTell = indexes.vectorCapabilities.similarity === "exact" && isWhole;
  return canTell ? { ...found, unfoundCosines: byMeaning.unfoundCosines } : found;
}

/** Of many sub-queries each brings fewer: the whole prompt and its sentences find much the same. */
function limitOfEach(limit: number, subQueries: number): number {
  return Math.ceil(limit / Math.sqrt(subQueries));
}

function isSelected(row: OverlayRow, scopes: ReadonlySet<ScopeText>, where: Filter | undefined): boolean {
  return scopes.has(row.scope) && (where === undefined || matchesFilter(where, row.fields));
}

const nothing = { rows: [], isExhausted: true };

async function searchByMeaning(
  { vectors, vectorCapabilities, thread }: CandidateIndexes,
  { tenant, scopes, where, query, overlay, limit }: CandidateSearch,
  overlayRows: readonly OverlayRow[],
  signal: AbortSignal,
): Promise<FoundByMeaning> {
  const queryVectors = query.vectors;
  if (!isNonEmpty(queryVectors)) return { ...nothing, unfoundCosines: [] };
  const { maxLimit } = vectorCapabilities;
  // Rows that the overlay replaces take places among the best; so many more make up for them.
  const asked = Math.min(limit + overlay.refs.size, maxLimit);
  const request = { tenant, scopes, vectors: queryVectors, where, limit: asked, bounds: true };
  const hits = await vectors.search(request, { signal });
  const rows: FoundRow[] = hits.filter((hit) => !overlay.refs.has(hit.ref));
  const overlayVectors = overlayRows.map((row) => row.vectors);
  const nearness = await nearnessOf(thread, { tenant, queryVectors, signal }, overlayVectors);
  for (const [index, { ref, version }] of overlayRows.entries()) {
    const cosines = nearness[index];
    if (cosines !== undefined) rows.push({ ref, version, cosines });
  }
  if (rows.length < limit) return { rows, isExhausted: true, unfoundCosines: hits.length < asked ? [] : undefined };
  return {
    rows,
    isExhausted: limit >= maxLimit,
    unfoundCosines: queryVectors.map((_, query) => nthBest(rows, query, limit)),
  };
}

/** The n-th best of the rows' cosines with a query vector. */
function nthBest(rows: readonly FoundRow[], query: number, place: number): number {
  const cosines = new Float64Array(rows.length);
  for (let index = 0; index < rows.length; index++) cosines[index] = rows[index]?.cosines?.[query] ?? -1;
  return cosines.toSorted().at(-place) ?? -1;
}

async function searchByWords(
  { textIndex }: CandidateIndexes,
  { places, ...search }: CandidateSearch & { readonly places: readonly number[] },
  overlayRows: readonly OverlayRow[],
  signal: AbortSignal,
): Promise<FoundByWords> {
  const { tenant, scopes, where, overlay, limit } = search;
  const { statistics, terms: queryTerms } = search.query;
  const terms = places.map((place) => queryTerms.terms[place] as string);
  if (!isNonEmpty(terms)) return { ...nothing, unfoundScore: 0 };
  const ranked = {
    ...statistics,
    documentFrequencies: places.map((place) => statistics.documentFrequencies[place] ?? 0),
  };
  const asked = limit + overlay.refs.size;
  const hits = await textIndex.search({ tenant, scopes, terms, where, limit: asked, statistics: ranked }, { signal });
  const ranking = new Bm25(ranked);
  // As for the whole prompt.
  const isOfAllTerms = places.length === queryTerms.terms.length && places.every((place, index) => place === index);
  const scored = hits
    .filter((hit) => !overlay.refs.has(hit.ref))
    .map((hit): ScoredRow => {
      const { ref, version, frequencies, length } = hit;
      return { ref, version, score: ranking.score(frequencies, length), words: isOfAllTerms ? hit : undefined };
    });
  for (const row of overlayRows) {
    const frequencies = terms.map((term) => row.terms.get(term) ?? 0);
    if (frequencies.some((frequency) => frequency > 0))
      scored.push({ ref: row.ref, version: row.version, score: ranking.score(frequencies, row.length) });
  }
  return bestByWords(scored, limit);
}
