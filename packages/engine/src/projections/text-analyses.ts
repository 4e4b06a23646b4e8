import { englishAnalyser, type TextAnalyser } from "@loci/core";
import type { ContentHash } from "@loci/domain";
import type { TermFrequencies } from "@loci/store";

const maxKept = 4_096;

/** Analyses texts, and remembers the latest: what was just written is soon analysed again, by drainer and by recall. */
export class TextAnalyses {
  readonly analyser: TextAnalyser;
  readonly #kept = new Map<ContentHash, TermFrequencies>();

  constructor(analyser: TextAnalyser = englishAnalyser) {
    this.analyser = analyser;
  }

  /** Whether the words of a text are at hand, so that nobody else need be asked for them. */
  has(contentHash: ContentHash): boolean {
    return this.#kept.has(contentHash);
  }

  of(contentHash: ContentHash, text: string): TermFrequencies {
    const known = this.#kept.get(contentHash);
    if (known !== undefined) return known;
    const terms = this.analyser.analyse(text);
    if (this.#kept.size >= maxKept) for (const oldest of this.#kept.keys()) if (this.#kept.delete(oldest)) break;
    this.#kept.set(contentHash, terms);
    return terms;
  }
}
