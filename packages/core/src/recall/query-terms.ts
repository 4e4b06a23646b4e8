import { englishAnalyser, type TextAnalyser } from "../text/text-analyser.ts";
import type { SubQuery } from "./sub-queries.ts";

/** A sub-query as ranking takes it. */
export interface AnalysedSubQuery {
  readonly weight: number;
  /** Which of the union's terms are its own, as indexes into it. */
  readonly terms: readonly number[];
}

/**
 * Most distinct terms that a prompt is searched for: the first in its order. What is pasted into a prompt besides a question
 * says little with its thousandth word, and each costs a look at the index.
 */
export const maxQueryTerms: number = 1_000;

/** The terms of all sub-queries together: what a text index is asked for. */
export interface QueryTerms {
  /** Distinct, in order of appearance, at most 1,000. Empty when the prompt holds nothing but stop words. */
  readonly terms: readonly string[];
  /** In the order of the sub-queries. */
  readonly subQueries: readonly AnalysedSubQuery[];
}

/** @param analyser the one that the texts were analysed with. Default English */
export function queryTerms(queries: readonly SubQuery[], analyser: TextAnalyser = englishAnalyser): QueryTerms {
  const indexes = new Map<string, number>();
  const analysed = queries.map(({ text, weight }) => ({
    weight,
    terms: analyser.terms(text, maxQueryTerms).flatMap((term) => {
      const index = indexes.get(term) ?? indexes.size;
      if (index >= maxQueryTerms) return [];
      indexes.set(term, index);
      return index;
    }),
  }));
  return { terms: [...indexes.keys()], subQueries: analysed };
}
