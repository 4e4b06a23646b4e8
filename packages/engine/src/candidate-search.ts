import type { QueryTerms } from "@loci/core";
import {
  Bm25,
  cosineOfUnitVectors,
  type Filter,
  formatScope,
  isNonEmpty,
  type NonEmpty,
  type Ref,
  type Scope,
  type ScopeText,
  type TenantId,
} from "@loci/domain";
import {
  matchesFilter,
  type TextIndex,
  type TextStatistics,
  type VectorCollection,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { Overlay, OverlayRow } from "./overlay.ts";

/** A question as it is searched with. */
export interface SearchQuery {
  readonly terms: QueryTerms;
  /** One for each sub-query; none when the embedder did not answer. */
  readonly vectors: readonly Float32Array[];
  /** Of all the terms, with the overlay in them. */
  readonly statistics: TextStatistics;
}

export interface CandidateSearch {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  readonly where: Filter | undefined;
  readonly query: SearchQuery;
  readonly overlay: Overlay;
  /** The best so many of each sub-query, by meaning and by words. */
  readonly limit: number;
}

/** What a search has found out about a row. What it has not is left out. */
export interface FoundRow {
  readonly ref: Ref;
  readonly version: number;
  /** Cosine with each query vector. */
  readonly cosines?: readonly (number | undefined)[] | undefined;
}

export interface FoundRows {
  readonly rows: ReadonlyMap<Ref, FoundRow>;
  /** True when a higher limit would find nothing more. */
  readonly isExhausted: boolean;
}

export interface CandidateIndexes {
  readonly vectors: VectorCollection;
  readonly vectorCapabilities: VectorStoreCapabilities;
  readonly textIndex: TextIndex;
}

/**
 * The best rows by meaning and by words, as the indexes would give them if they had caught up: what they say about memories
 * in the overlay is left out, the overlay's rows are scored exactly, and both are cut to the limit together.
 */
export async function searchCandidates(
  indexes: CandidateIndexes,
  search: CandidateSearch,
  signal: AbortSignal,
): Promise<FoundRows> {
  const scopes = new Set(search.scopes.map(formatScope));
  const overlayRows = [...search.overlay.rows.values()].filter((row) => isSelected(row, scopes, search.where));
  const [byMeaning, ...byWords] = await Promise.all([
    searchByMeaning(indexes, search, overlayRows, signal),
    ...search.query.terms.subQueries.map(({ terms }) => searchByWords(indexes, search, terms, overlayRows, signal)),
  ]);
  return foundRows([byMeaning, ...byWords]);
}

/** Several rankings as one; of a row that stands in several the first says what is known of it. */
export function foundRows(rankings: readonly RankedRows[]): FoundRows {
  const rows = new Map<Ref, FoundRow>();
  for (const row of rankings.flatMap((found) => found.rows)) if (!rows.has(row.ref)) rows.set(row.ref, row);
  return { rows, isExhausted: rankings.every((found) => found.isExhausted) };
}

/** The best cosine of a row's vectors with each query vector; `undefined` for a row without vectors. */
export function cosinesOf(
  vectors: readonly Float32Array[],
  queryVectors: readonly Float32Array[],
): readonly number[] | undefined {
  if (vectors.length === 0) return undefined;
  return queryVectors.map((query) => {
    let best = -Infinity;
    for (const vector of vectors) best = Math.max(best, cosineOfUnitVectors(vector, query));
    return best;
  });
}

function isSelected(row: OverlayRow, scopes: ReadonlySet<ScopeText>, where: Filter | undefined): boolean {
  return scopes.has(row.scope) && (where === undefined || matchesFilter(where, row.fields));
}

export interface RankedRows {
  readonly rows: readonly FoundRow[];
  readonly isExhausted: boolean;
}

const nothing: RankedRows = { rows: [], isExhausted: true };

async function searchByMeaning(
  { vectors, vectorCapabilities }: CandidateIndexes,
  { tenant, scopes, where, query, overlay, limit }: CandidateSearch,
  overlayRows: readonly OverlayRow[],
  signal: AbortSignal,
): Promise<RankedRows> {
  const queryVectors = query.vectors;
  if (!isNonEmpty(queryVectors)) return nothing;
  const { maxLimit } = vectorCapabilities;
  // Rows that the overlay replaces take places among the best; so many more make up for them.
  const asked = Math.min(limit + overlay.refs.size, maxLimit);
  const hits = await vectors.search({ tenant, scopes, vectors: queryVectors, where, limit: asked }, { signal });
  const rows: FoundRow[] = hits.filter((hit) => !overlay.refs.has(hit.ref));
  for (const row of overlayRows) {
    const cosines = cosinesOf(row.vectors, queryVectors);
    if (cosines !== undefined) rows.push({ ref: row.ref, version: row.version, cosines });
  }
  if (rows.length < limit) return { rows, isExhausted: true };
  return { rows: bestOfEachQuery(rows, queryVectors.length, limit), isExhausted: limit >= maxLimit };
}

/**
 * An approximate store may know a row's cosine with the query that found it only: it is not among the best of the others.
 * Where it knows none, it is not known where the row would stand.
 */
function unknownCosine({ cosines }: FoundRow): number {
  return cosines?.some((cosine) => cosine !== undefined) === true ? -Infinity : Infinity;
}

/** The rows that are among the best `limit` of at least one query vector. */
export function bestOfEachQuery(rows: readonly FoundRow[], queries: number, limit: number): readonly FoundRow[] {
  if (rows.length <= limit) return rows;
  const kept = new Set<FoundRow>();
  for (let query = 0; query < queries; query++) {
    const cosine = (row: FoundRow): number => row.cosines?.[query] ?? unknownCosine(row);
    const ranked = rows.toSorted((left, right) => cosine(right) - cosine(left) || compareRefs(left, right));
    for (let index = 0; index < limit; index++) kept.add(ranked[index] as FoundRow);
  }
  return [...kept];
}

async function searchByWords(
  { textIndex }: CandidateIndexes,
  search: CandidateSearch,
  places: readonly number[],
  overlayRows: readonly OverlayRow[],
  signal: AbortSignal,
): Promise<RankedRows> {
  const { tenant, scopes, where, overlay, limit } = search;
  const { statistics, terms: queryTerms } = search.query;
  const terms = places.map((place) => queryTerms.terms[place] as string);
  if (!isNonEmpty(terms)) return nothing;
  const ranked = {
    ...statistics,
    documentFrequencies: places.map((place) => statistics.documentFrequencies[place] ?? 0),
  };
  const asked = limit + overlay.refs.size;
  const hits = await textIndex.search({ tenant, scopes, terms, where, limit: asked, statistics: ranked }, { signal });
  const ranking = new Bm25(ranked);
  const scored = hits
    .filter((hit) => !overlay.refs.has(hit.ref))
    .map(({ ref, version, frequencies, length }): ScoredRow => {
      return { ref, version, score: ranking.score(frequencies, length) };
    });
  for (const row of overlayRows) {
    const frequencies = terms.map((term) => row.terms.get(term) ?? 0);
    if (frequencies.some((frequency) => frequency > 0))
      scored.push({ ref: row.ref, version: row.version, score: ranking.score(frequencies, row.length) });
  }
  return bestScored(scored, limit);
}

/** A row and how well it answers by its words. */
export interface ScoredRow extends FoundRow {
  readonly score: number;
}

/** The best so many, ties by ref. */
export function bestScored(scored: readonly ScoredRow[], limit: number): RankedRows {
  if (scored.length < limit) return { rows: scored, isExhausted: true };
  const best = scored.toSorted((left, right) => right.score - left.score || compareRefs(left, right));
  return { rows: best.slice(0, limit), isExhausted: false };
}

function compareRefs(left: { readonly ref: Ref }, right: { readonly ref: Ref }): number {
  return left.ref < right.ref ? -1 : left.ref > right.ref ? 1 : 0;
}
