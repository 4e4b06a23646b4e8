import { KernelMemory } from "./kernel.ts";

/** The kernel takes so many values a turn. */
const valuesAtOnce = 16;
/** Fewer numbers are compared without the kernel, as each memory of its own takes up addresses. */
const fewNumbers = 2 ** 17;

/** Vectors of one length side by side, compared with a query at once. */
export class VectorMemory {
  readonly #rowValues: number;
  #kernel: KernelMemory | undefined;
  #values: Float32Array;

  constructor(dimensions: number) {
    this.#rowValues = Math.ceil(dimensions / valuesAtOnce) * valuesAtOnce;
    this.#values = new Float32Array(0);
  }

  get bytes(): number {
    return this.#values.byteLength;
  }

  /** Writes the vector of a row, of the next one too. */
  put(row: number, vector: Float32Array): void {
    if ((row + 1) * this.#rowValues > this.#values.length) this.#makeRoom(Math.ceil(1.5 * (row + 1)));
    this.#values.set(vector, row * this.#rowValues);
  }

  /** Copies the vector of a row to another one. */
  copy(from: number, to: number): void {
    const place = from * this.#rowValues;
    this.#values.copyWithin(to * this.#rowValues, place, place + this.#rowValues);
  }

  /** The products of the first `count` rows with a vector. In whatever order they were added up, none is more off than in float32. */
  productsWith(query: Float32Array, count: number): Float32Array | Float64Array {
    if (this.#kernel !== undefined) return this.#kernel.productsWith(query, count);
    const products = new Float64Array(count);
    for (let row = 0, place = 0; row < count; row++, place += this.#rowValues) {
      let sum = 0;
      for (let index = 0; index < query.length; index++)
        sum += (query[index] as number) * (this.#values[place + index] as number);
      products[row] = sum;
    }
    return products;
  }

  #makeRoom(rows: number): void {
    const known = this.#values;
    const numbers = rows * this.#rowValues;
    if (numbers <= fewNumbers) {
      this.#values = new Float32Array(numbers);
      this.#values.set(known);
    } else if (this.#kernel === undefined) {
      this.#kernel = new KernelMemory(this.#rowValues);
      this.#values = this.#kernel.rows(rows);
      this.#values.set(known);
    } else this.#values = this.#kernel.rows(rows);
  }
}
