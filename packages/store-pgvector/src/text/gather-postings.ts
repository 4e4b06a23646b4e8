import { inByteOrder } from "./byte-order.ts";
import type { PostingPage, TermPostings } from "./posting-pages.ts";

/** A text as its postings are made from it. */
export interface NumberedText {
  /** Its place in its division. */
  readonly number: number;
  /** Terms, repetitions counted. */
  readonly length: number;
  /** How often each stands in it. */
  readonly terms: Iterable<readonly [term: string, frequency: number]>;
}

/** The longest text that has postings. A longer one, of half a megabyte, is read itself by every search of its scope. */
export const longestText = 65_535;

interface GrowingPostings extends TermPostings {
  readonly numbers: number[];
  readonly weights: number[];
}

/** The postings of neighbouring texts, gathered by term. */
export class GatheredPostings {
  readonly #terms = new Map<string, GrowingPostings>();

  /** Pages come in the order of their segments, and of their parts. */
  addPage(page: PostingPage): void {
    const { terms, ends, numbers, weights } = page;
    let posting = 0;
    for (const [place, term] of terms.entries()) {
      const own = this.#of(term);
      for (const end = ends[place] as number; posting < end; posting++) {
        own.numbers.push(numbers[posting] as number);
        own.weights.push(weights[posting] as number);
      }
    }
  }

  /** Texts come in the order of their numbers, behind those of the pages. */
  addText({ number, length, terms }: NumberedText): void {
    for (const [term, frequency] of terms) {
      const own = this.#of(term);
      own.numbers.push(number);
      own.weights.push(weightOf(frequency, length));
    }
  }

  /** In the order of the terms' bytes. */
  sorted(): readonly TermPostings[] {
    return inByteOrder(this.#terms.keys()).map((term) => this.#of(term));
  }

  #of(term: string): GrowingPostings {
    let own = this.#terms.get(term);
    if (own === undefined) this.#terms.set(term, (own = { term, numbers: [], weights: [] }));
    return own;
  }
}

/** Frequency and length of a posting in the 32 bits of a signed number: the frequency in the upper half. */
function weightOf(frequency: number, length: number): number {
  return (frequency << 16) | length;
}
