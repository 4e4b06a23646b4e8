import type { QueryTerms } from "@loci/core";
import {
  Bm25,
  type Bm25Statistics,
  type Filter,
  formatScope,
  type NonEmpty,
  nthSmallest,
  type Ref,
  type Scope,
  type ScopeText,
  type TenantId,
} from "@loci/domain";
import { matchesFilter, type TextHit } from "@loci/store";
import type { Overlay, OverlayRow } from "../projections/overlay.ts";
import { askIndexes, type AskableIndexes, type IndexAnswers, type IndexSearch, statisticsAt } from "./asked-indexes.ts";
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

export interface CandidateIndexes extends AskableIndexes {
  readonly thread: ThreadTurns;
}

/**
 * What the indexes are asked for when a search begins, by those who ask before they know whether there is an overlay: what is answered
 * holds if there is none.
 */
export function askAhead(
  indexes: AskableIndexes,
  { query, limit, ...search }: AheadSearch,
  signal: AbortSignal,
): IndexAnswers {
  return askIndexes(indexes, indexSearch({ ...search, query, limit }), undefined, signal);
}

/** A search whose statistics and overlay are not known yet. */
export type AheadSearch = Pick<CandidateSearch, "tenant" | "scopes" | "where" | "limit"> & {
  readonly query: Pick<SearchQuery, "terms" | "vectors">;
};

/**
 * The most promising rows by meaning and by words, as the indexes would give them if they had caught up: what they say about
 * memories in the overlay is left out, the overlay's rows are scored exactly, and all are cut to the limit together.
 *
 * @param ahead what `askAhead` was answered, if there is no overlay
 */
export async function searchCandidates(
  indexes: CandidateIndexes,
  search: CandidateSearch,
  signal: AbortSignal,
  ahead?: IndexAnswers,
): Promise<FoundRows> {
  const scopes = new Set(search.scopes.map(formatScope));
  const { query, overlay } = search;
  const overlayRows = [...overlay.rows.values()].filter((row) => isSelected(row, scopes, search.where));
  const { subQueries } = query.terms;
  const ofEach = { ...search, overlayRows, limit: limitOfEach(search.limit, subQueries.length) };
  const unseen = { replacedRows: overlay.refs.size, statistics: query.statistics };
  const answers = ahead ?? askIndexes(indexes, indexSearch(search), unseen, signal);
  const [byMeaning, ...byWords] = await Promise.all([
    foundByMeaning(indexes, ofEach, answers.byMeaning, signal),
    ...subQueries.map(({ terms: places }, place) => foundByWords({ ...ofEach, places }, answers.byWords[place])),
  ]);
  const found = promisingRows(
    { byMeaning, byWords, subQueries, relevanceWeight: search.relevanceWeight },
    search.limit,
  );
  const isWhole = !overlay.isIncomplete && indexes.hasVectors?.() !== false;
  const canTell = indexes.vectorCapabilities.similarity === "exact" && isWhole;
  return canTell ? { ...found, unfoundCosines: byMeaning.unfoundCosines } : found;
}

function indexSearch({ tenant, scopes, where, query: { terms, vectors }, limit }: AheadSearch): IndexSearch {
  return { tenant, scopes, where, terms, vectors, limit: limitOfEach(limit, terms.subQueries.length) };
}

/** Of many sub-queries each brings fewer: the whole prompt and its sentences find much the same. */
function limitOfEach(limit: number, subQueries: number): number {
  return Math.ceil(limit / Math.sqrt(subQueries));
}

function isSelected(row: OverlayRow, scopes: ReadonlySet<ScopeText>, where: Filter | undefined): boolean {
  return scopes.has(row.scope) && (where === undefined || matchesFilter(where, row.fields));
}

/** Of each sub-query by meaning and by words. */
interface OverlaidSearch extends CandidateSearch {
  /** Those that it selects. */
  readonly overlayRows: readonly OverlayRow[];
}

const nothing = { rows: [], isExhausted: true };

async function foundByMeaning(
  { vectorCapabilities, thread }: CandidateIndexes,
  { tenant, query, overlay, overlayRows, limit }: OverlaidSearch,
  asked: IndexAnswers["byMeaning"],
  signal: AbortSignal,
): Promise<FoundByMeaning> {
  if (asked === undefined) return { ...nothing, unfoundCosines: [] };
  const queryVectors = query.vectors;
  const { maxLimit } = vectorCapabilities;
  const hits = await asked.hits;
  const rows: FoundRow[] = hits.filter((hit) => !overlay.refs.has(hit.ref));
  const overlayVectors = overlayRows.map((row) => row.vectors);
  const nearness = await nearnessOf(thread, { tenant, queryVectors, signal }, overlayVectors);
  for (const [index, { ref, version }] of overlayRows.entries()) {
    const cosines = nearness[index];
    if (cosines !== undefined) rows.push({ ref, version, cosines });
  }
  if (rows.length < limit)
    return { rows, isExhausted: true, unfoundCosines: hits.length < asked.limit ? [] : undefined };
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
  return nthSmallest(cosines, cosines.length - place);
}

async function foundByWords(
  { places, query, overlay, overlayRows, limit }: OverlaidSearch & { readonly places: readonly number[] },
  asked: IndexAnswers["byWords"][number],
): Promise<FoundByWords> {
  if (asked === undefined) return { ...nothing, bestScore: 0, unfoundScore: 0 };
  const { statistics, terms: queryTerms } = query;
  const terms = places.map((place) => queryTerms.terms[place] as string);
  const hits = await asked.hits;
  const ranking = new Bm25(statisticsAt(statistics, places));
  // As for the whole prompt.
  const isOfAllTerms = places.length === queryTerms.terms.length && places.every((place, index) => place === index);
  const scored = hits
    .filter((hit) => !overlay.refs.has(hit.ref))
    .map((hit) => new RowByWords(hit, ranking.score(hit.frequencies, hit.length), isOfAllTerms ? hit : undefined));
  for (const row of overlayRows) {
    const frequencies = terms.map((term) => row.terms.get(term) ?? 0);
    if (frequencies.some((frequency) => frequency > 0))
      scored.push(new RowByWords(row, ranking.score(frequencies, row.length)));
  }
  return bestByWords(scored, limit);
}

/** One of hundreds at once, and so of a class: see decision 85. */
class RowByWords implements ScoredRow {
  readonly ref: Ref;
  readonly version: number;
  readonly score: number;
  readonly words: TextHit | undefined;

  /** @param words for all the terms of the question */
  constructor({ ref, version }: Pick<FoundRow, "ref" | "version">, score: number, words?: TextHit) {
    this.ref = ref;
    this.version = version;
    this.score = score;
    this.words = words;
  }
}
