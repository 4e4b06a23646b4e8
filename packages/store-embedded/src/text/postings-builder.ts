import { TermTable } from "./term-table.ts";
import type { Postings } from "./text-payload.ts";

/** Writes the postings of a new segment, term after term. */
export class PostingsBuilder {
  readonly #terms: Buffer[] = [];
  readonly #starts: number[] = [0];
  #rows = new Uint32Array(1024);
  #frequencies = new Uint32Array(1024);
  #used = 0;
  #largest = 0;

  /** Begins the next term, in the order of `Buffer.compare`. */
  begin(term: Buffer): void {
    this.#terms.push(term);
  }

  /** Adds a row of the current term; rows ascend. */
  add(row: number, frequency: number): void {
    if (this.#used === this.#rows.length) this.#grow();
    this.#rows[this.#used] = row;
    this.#frequencies[this.#used] = frequency;
    this.#used++;
    this.#largest = Math.max(this.#largest, frequency);
  }

  /** Ends the current term; one without rows is left out. */
  end(): void {
    if (this.#starts.at(-1) === this.#used) this.#terms.pop();
    else this.#starts.push(this.#used);
  }

  finish(): Postings {
    const frequencies = this.#frequencies.subarray(0, this.#used);
    return {
      terms: TermTable.make(this.#terms),
      starts: Uint32Array.from(this.#starts),
      rows: this.#rows.slice(0, this.#used),
      frequencies: this.#largest < 256 ? Uint8Array.from(frequencies) : frequencies.slice(),
    };
  }

  #grow(): void {
    const [rows, frequencies] = [this.#rows, this.#frequencies];
    this.#rows = new Uint32Array(2 * rows.length);
    this.#frequencies = new Uint32Array(2 * rows.length);
    this.#rows.set(rows);
    this.#frequencies.set(frequencies);
  }
}
