import { englishAnalyser, type TermFrequencies } from "./text-analyser.ts";

/** The terms of a text in English, and how often each stands in it. See {@link TextAnalyser}. */
export function analyseText(text: string): TermFrequencies {
  return englishAnalyser.analyse(text);
}

/** The terms of a question in English, each once, in order of appearance. See {@link TextAnalyser}. */
export function analyseQuery(text: string): readonly string[] {
  return englishAnalyser.terms(text);
}

/** How many terms a text has, repetitions counted: the length that BM25 asks for. */
export function termCount(frequencies: TermFrequencies): number {
  let count = 0;
  for (const frequency of frequencies.values()) count += frequency;
  return count;
}
