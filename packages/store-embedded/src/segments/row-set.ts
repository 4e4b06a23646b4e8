/** A set of rows of a segment, as bits. */
export class RowSet {
  readonly bits: Uint8Array;
  #size: number;

  constructor(bits: Uint8Array) {
    this.bits = bits;
    this.#size = 0;
    for (const byte of bits) this.#size += bitCounts[byte] as number;
  }

  static empty(rows: number): RowSet {
    return new RowSet(new Uint8Array(Math.ceil(rows / 8)));
  }

  get size(): number {
    return this.#size;
  }

  has(row: number): boolean {
    return (((this.bits[row >> 3] as number) >> (row & 7)) & 1) === 1;
  }

  add(row: number): void {
    if (this.has(row)) return;
    this.bits[row >> 3] = (this.bits[row >> 3] as number) | (1 << (row & 7));
    this.#size++;
  }
}

const bitCounts = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);
