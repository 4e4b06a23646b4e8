import type { QueryTerms } from "@loci/core";
import { type Bm25Statistics, type Filter, isNonEmpty, type NonEmpty, type Scope, type TenantId } from "@loci/domain";
import type { TextHit, VectorHit, VectorStoreCapabilities } from "@loci/store";
import type { SearchedIndexes } from "../projections/searched-indexes.ts";

export interface AskableIndexes extends SearchedIndexes {
  readonly vectorCapabilities: VectorStoreCapabilities;
}

/** One search of both indexes. */
export interface IndexSearch {
  readonly tenant: TenantId;
  readonly scopes: NonEmpty<Scope>;
  readonly where: Filter | undefined;
  readonly terms: QueryTerms;
  /** One for each sub-query; none when the embedder did not answer. */
  readonly vectors: readonly Float32Array[];
  /** Of each sub-query by meaning and by words. */
  readonly limit: number;
}

/** What the indexes have not seen yet. */
export interface Unseen {
  /** Rows that will be replaced. They take places among the best; so many more make up for them. */
  readonly replacedRows: number;
  /** As they will be. */
  readonly statistics: Bm25Statistics;
}

/** What the indexes say to one search. */
export interface IndexAnswers {
  /** `undefined` where there is nothing to ask with. */
  readonly byMeaning: Asked<VectorHit> | undefined;
  /** In the order of the sub-queries. */
  readonly byWords: readonly (Asked<TextHit> | undefined)[];
}

/** Hits that were asked for. */
export interface Asked<Hit> {
  readonly hits: Promise<readonly Hit[]>;
  readonly limit: number;
}

/**
 * Asks both indexes at once, within this turn of the event loop: what is asked for in one turn goes to them together.
 *
 * @param unseen absent: nothing, and words are ranked by the index's own statistics
 */
export function askIndexes(
  { vectors, textIndex, vectorCapabilities }: AskableIndexes,
  { tenant, scopes, where, terms: queryTerms, vectors: queryVectors, limit: ofEach }: IndexSearch,
  unseen: Unseen | undefined,
  signal: AbortSignal,
): IndexAnswers {
  const call = { signal };
  const limit = ofEach + (unseen?.replacedRows ?? 0);
  const askVectors = (): IndexAnswers["byMeaning"] => {
    if (!isNonEmpty(queryVectors)) return undefined;
    const most = Math.min(limit, vectorCapabilities.maxLimit);
    const request = { tenant, scopes, vectors: queryVectors, where, limit: most, bounds: true };
    return { hits: vectors.search(request, call), limit: most };
  };
  const askWords = (places: readonly number[]): Asked<TextHit> | undefined => {
    const terms = places.map((place) => queryTerms.terms[place] as string);
    if (!isNonEmpty(terms)) return undefined;
    const statistics = unseen && statisticsAt(unseen.statistics, places);
    return { hits: textIndex.search({ tenant, scopes, terms, where, limit, statistics }, call), limit };
  };
  return { byMeaning: askVectors(), byWords: queryTerms.subQueries.map(({ terms }) => askWords(terms)) };
}

/** Of some of the terms. */
export function statisticsAt(statistics: Bm25Statistics, places: readonly number[]): Bm25Statistics {
  return {
    ...statistics,
    documentFrequencies: places.map((place) => statistics.documentFrequencies[place] ?? 0),
  };
}
