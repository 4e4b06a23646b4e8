import { englishAnalyser, type TextAnalyser } from "@loci/core";
import type { ContentHash } from "@loci/domain";
import type { TermFrequencies } from "@loci/store";

/** Texts that are remembered at most, and different terms of all of them together: some 30 MB. Long texts have thousands each. */
const maxKept = 4_096;
const maxTerms = 400_000;

/** Analyses texts, and remembers the latest: what was just written is soon analysed again, by drainer and by recall. */
export class TextAnalyses {
  readonly analyser: TextAnalyser;
  /** The oldest first. */
  readonly #kept = new Map<ContentHash, TermFrequencies>();
  /** Of all that are kept. */
  #terms = 0;

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
    this.#terms += terms.size;
    this.#makeRoom();
    this.#kept.set(contentHash, terms);
    return terms;
  }

  /** For one text more, whose terms are counted already. */
  #makeRoom(): void {
    for (const [oldest, { size }] of this.#kept) {
      if (this.#kept.size < maxKept && this.#terms <= maxTerms) return;
      this.#kept.delete(oldest);
      this.#terms -= size;
    }
  }
}
