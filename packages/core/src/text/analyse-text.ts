import { scanTerms } from "./scan-terms.ts";

/** How often each term stands in a text. */
export type TermFrequencies = ReadonlyMap<string, number>;

/**
 * The terms of a text that is to be found, and how often each stands in it.
 *
 * Terms are lower-case words without English stop words, English ones stemmed (Porter 2); words of Chinese, Japanese,
 * Korean and other scripts without spaces as pairs of neighbouring characters. An identifier such as `ADR-007`,
 * `user_id`, `src/core/index.ts`, `v1.2.3` or `camelCase` counts whole and in its parts. Compatibility forms are folded
 * and invisible characters ignored. A term is well-formed and has at most 128 UTF-16 units.
 *
 * Takes any string and time linear in its length; never throws.
 */
export function analyseText(text: string): TermFrequencies {
  const frequencies = new Map<string, number>();
  scanTerms(text, (term) => frequencies.set(term, (frequencies.get(term) ?? 0) + 1));
  return frequencies;
}

/**
 * The terms of a question: those that {@link analyseText} finds, each once, in order of appearance. Empty when it holds
 * nothing but stop words. A question is data: no character in it is an operator.
 */
export function analyseQuery(text: string): readonly string[] {
  const terms = new Set<string>();
  scanTerms(text, (term) => terms.add(term));
  return [...terms];
}

/** How many terms a text has, repetitions counted: the length that BM25 asks for. */
export function termCount(frequencies: TermFrequencies): number {
  let count = 0;
  for (const frequency of frequencies.values()) count += frequency;
  return count;
}
