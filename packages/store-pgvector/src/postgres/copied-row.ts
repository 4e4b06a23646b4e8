import type { Ref } from "@loci/domain";

/** The length of a column that is NULL. */
const ofNull = -1;
const lengthBytes = 4;
/** Of an array: dimensions, a flag, and the type. Behind them stand count and lowest index of each dimension. */
const arrayBytes = 12;
const dimensionBytes = 8;

/** One row in PostgreSQL's binary form. Nobody but who takes it may read it, and not for longer. */
export interface CopiedRow {
  isNull(column: number): boolean;
  /** Of the type `uuid`. */
  ref(column: number): Ref;
  /** Of the types `integer` and `bigint`. */
  number(column: number): number;
  /** Of the type `boolean`. */
  isTrue(column: number): boolean;
  text(column: number): string;
  /** Of an array of texts, none of them NULL. */
  texts(column: number): readonly string[];
  /** Of the type `integer[]`, none of them NULL. @param target where there is room; otherwise it is made anew */
  numbers(column: number, target: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer>;
  /** Copies what stands behind the first bytes of a column to the beginning of others. */
  copyTo(target: Buffer, column: number, behind: number): void;
}

/** A row that is read again and again: one for each of many would be a great part of what it takes to read them. */
export class GrowingRow implements CopiedRow {
  #bytes: Buffer = Buffer.alloc(0);
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  begin(bytes: Buffer): this {
    this.#bytes = bytes;
    this.#starts.length = this.#lengths.length = 0;
    return this;
  }

  addColumn(start: number, length: number): void {
    this.#starts.push(start);
    this.#lengths.push(length);
  }

  isNull(column: number): boolean {
    return this.#lengths[column] === ofNull;
  }

  ref(column: number): Ref {
    const digits = this.#bytes.toString("hex", this.#startOf(column), this.#endOf(column));
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}` as Ref;
  }

  number(column: number): number {
    const start = this.#startOf(column);
    const isShort = this.#lengths[column] === lengthBytes;
    const high = this.#bytes.readInt32BE(start);
    return isShort ? high : high * 2 ** 32 + this.#bytes.readUInt32BE(start + lengthBytes);
  }

  isTrue(column: number): boolean {
    return this.#bytes[this.#startOf(column)] === 1;
  }

  text(column: number): string {
    return this.#bytes.toString("utf8", this.#startOf(column), this.#endOf(column));
  }

  texts(column: number): readonly string[] {
    const count = this.#countOf(column);
    let place = this.#startOf(column) + arrayBytes + dimensionBytes;
    return Array.from({ length: count }, () => {
      const start = place + lengthBytes;
      place = start + this.#bytes.readInt32BE(place);
      return this.#bytes.toString("utf8", start, place);
    });
  }

  numbers(column: number, target: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
    const count = this.#countOf(column);
    const numbers = count <= target.length ? target : new Int32Array(2 * count);
    let place = this.#startOf(column) + arrayBytes + dimensionBytes + lengthBytes;
    for (let index = 0; index < count; index++, place += 2 * lengthBytes)
      numbers[index] = this.#bytes.readInt32BE(place);
    return numbers;
  }

  copyTo(target: Buffer, column: number, behind: number): void {
    this.#bytes.copy(target, 0, this.#startOf(column) + behind, this.#endOf(column));
  }

  /** Of an array. One without elements has no dimension. */
  #countOf(column: number): number {
    const start = this.#startOf(column);
    return this.#bytes.readInt32BE(start) === 0 ? 0 : this.#bytes.readInt32BE(start + arrayBytes);
  }

  #startOf(column: number): number {
    const start = this.#starts[column];
    if (start === undefined || this.isNull(column))
      throw new Error(`Column ${column} of a row that was copied is NULL.`);
    return start;
  }

  #endOf(column: number): number {
    return this.#startOf(column) + (this.#lengths[column] as number);
  }
}
