import type { TermFrequencies } from "@loci/store";

interface CountedText {
  readonly length: number;
  readonly terms: TermFrequencies;
}

/** What texts add to a tenant's statistics. */
export class TextCounts {
  documents = 0;
  totalLength = 0;
  /** How many more of the texts hold each term. */
  readonly terms: Map<string, number> = new Map();

  add(text: CountedText): void {
    this.#count(text, 1);
  }

  subtract(text: CountedText): void {
    this.#count(text, -1);
  }

  #count({ length, terms }: CountedText, times: 1 | -1): void {
    this.documents += times;
    this.totalLength += times * length;
    for (const term of terms.keys()) this.terms.set(term, (this.terms.get(term) ?? 0) + times);
  }
}

/** Terms, repetitions counted. */
export function lengthOf(terms: TermFrequencies): number {
  let length = 0;
  for (const frequency of terms.values()) length += frequency;
  return length;
}
