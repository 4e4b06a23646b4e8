import { bytesOf, sectionOf, type Sections, uint32Section } from "../storage/section-file.ts";

/**
 * The distinct terms of a segment in the order of their bytes, found by halving. As UTF-16, so that any string is itself.
 * Nothing is decoded to open it.
 */
export class TermTable {
  readonly #bytes: Buffer;
  /** Where each term begins. One longer than there are terms. */
  readonly #starts: Uint32Array;

  private constructor(bytes: Buffer, starts: Uint32Array) {
    this.#bytes = bytes;
    this.#starts = starts;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** @param terms distinct, in the order of `Buffer.compare` */
  static make(terms: readonly Buffer[]): TermTable {
    const starts = new Uint32Array(terms.length + 1);
    for (const [term, bytes] of terms.entries()) starts[term + 1] = (starts[term] as number) + bytes.byteLength;
    return new TermTable(Buffer.concat(terms), starts);
  }

  static read(sections: Sections, path: string): TermTable {
    const bytes = sectionOf(sections, "terms", path);
    return new TermTable(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      uint32Section(sections, "termStarts", path),
    );
  }

  sections(): Sections {
    return new Map([
      ["terms", this.#bytes],
      ["termStarts", bytesOf(this.#starts)],
    ]);
  }

  bytesOf(term: number): Buffer {
    return this.#bytes.subarray(this.#starts[term], this.#starts[term + 1]);
  }

  /** The place of a term, or -1. */
  find(term: string): number {
    const asked = termBytes(term);
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const order = this.#compare(middle, asked);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** As `Buffer.compare` does. Most terms differ in their first bytes: a call of it takes longer. */
  #compare(term: number, asked: Buffer): number {
    const bytes = this.#bytes;
    const start = this.#starts[term] as number;
    const length = (this.#starts[term + 1] as number) - start;
    const shared = Math.min(length, asked.byteLength);
    for (let at = 0; at < shared; at++) {
      const difference = (bytes[start + at] as number) - (asked[at] as number);
      if (difference !== 0) return difference;
    }
    return length - asked.byteLength;
  }
}

export function termBytes(term: string): Buffer {
  return Buffer.from(term, "utf16le");
}
