import { type Kernel, kernelOn, largestMemory, makeMemory, pageBytes } from "./kernel.ts";
import { paddedDimensions, type QuantisedQuery, type QuantisedVector } from "./quantise.ts";

/** Queries that one pass over the rows compares with. */
export const queriesPerPass = 4;

/** About what one pass reads before the next group of queries reads it again: it stays in the core's own cache. */
const passBytes = 512 * 1024;

/**
 * Most vectors of so many dimensions that one index can hold: WebAssembly addresses 4 GiB with 32 bits. A little is kept
 * for queries and results.
 */
export function maxVectors(dimensions: number): number {
  return Math.floor((largestMemory - pageBytes * 64) / paddedDimensions(dimensions));
}

/**
 * Int8 vectors, one after the other, in a WebAssembly memory of their own, with the place for queries and results that the
 * kernel needs beside them. The memory is given back when nothing holds it any more.
 */
export class VectorMemory {
  readonly dimensions: number;
  readonly capacity: number;
  /** The codes of all vectors, `rowBytes` each. */
  readonly codes: Uint8Array<ArrayBuffer>;
  readonly rowBytes: number;
  /** Most vectors that one call of `dot` may compare. */
  readonly vectorsPerCall: number;
  /** The kernel's answers: those of the first query, then those of the second. */
  readonly results: Int32Array;
  readonly #queries: Int16Array;
  readonly #kernel: Kernel;
  readonly #codesAt: number;
  readonly #resultsAt: number;

  #loaded: readonly QuantisedQuery[] | undefined;

  /** Bytes of a vector's signs. */
  readonly signBytes: number;
  /** The place for the signs of all vectors; empty unless it was asked for. */
  readonly signs: Uint8Array<ArrayBuffer>;
  /** Most vectors that one call of `differ` may compare. */
  readonly signsPerCall: number = 4_096;
  /** The answers of `differ`. */
  readonly signResults: Int32Array;
  readonly #signsAt: number;
  readonly #signQuery: Uint8Array;
  readonly #signResultsAt: number;
  readonly #signQueryAt: number;

  /**
   * @param capacity in vectors
   * @param hasSigns whether there is room for a sign of every dimension too
   * @throws LociError `STORE_UNAVAILABLE` when the memory cannot be had
   */
  constructor(dimensions: number, capacity: number, hasSigns = false) {
    this.dimensions = dimensions;
    this.capacity = capacity;
    this.rowBytes = paddedDimensions(dimensions);
    this.vectorsPerCall = Math.ceil(passBytes / this.rowBytes);
    this.#resultsAt = queriesPerPass * 2 * this.rowBytes;
    this.#codesAt = this.#resultsAt + queriesPerPass * 4 * Math.ceil(this.vectorsPerCall / 16) * 16;
    this.signBytes = Math.ceil(dimensions / 128) * 16;
    this.#signsAt = this.#codesAt + Math.ceil((capacity * this.rowBytes) / 16) * 16;
    const signed = hasSigns ? capacity : 0;
    this.#signQueryAt = this.#signsAt + signed * this.signBytes;
    this.#signResultsAt = this.#signQueryAt + (hasSigns ? this.signBytes : 0);
    const signResults = hasSigns ? this.signsPerCall : 0;
    const memory = makeMemory(this.#signResultsAt + 4 * signResults);
    this.signs = new Uint8Array(memory.buffer, this.#signsAt, signed * this.signBytes);
    this.#signQuery = new Uint8Array(memory.buffer, this.#signQueryAt, hasSigns ? this.signBytes : 0);
    this.signResults = new Int32Array(memory.buffer, this.#signResultsAt, signResults);
    this.#kernel = kernelOn(memory);
    this.codes = new Uint8Array(memory.buffer, this.#codesAt, capacity * this.rowBytes);
    this.results = new Int32Array(memory.buffer, this.#resultsAt, queriesPerPass * this.vectorsPerCall);
    this.#queries = new Int16Array(memory.buffer, 0, queriesPerPass * this.rowBytes);
  }

  put(index: number, { codes }: QuantisedVector): void {
    this.codes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength), index * this.rowBytes);
  }

  /**
   * Compares `count` vectors from `first` on with one to four queries; the answers are in `results`, query by query.
   *
   * @param count at most `vectorsPerCall`
   */
  dot(first: number, count: number, queries: readonly QuantisedQuery[]): void {
    if (this.#loaded !== queries) this.#load(queries);
    const row = this.#codesAt + first * this.rowBytes;
    if (queries.length === 1) this.#kernel.dotOne(row, count, this.rowBytes, 0, this.#resultsAt);
    else this.#kernel.dotFour(row, count, this.rowBytes, 0, this.#resultsAt);
  }

  /**
   * Counts the signs in which vectors from `first` on differ from a query's; the answers are in `signResults`.
   *
   * @param count at most `signsPerCall`
   */
  differ(first: number, count: number, query: Uint8Array): void {
    this.#signQuery.set(query);
    const row = this.#signsAt + first * this.signBytes;
    this.#kernel.differ(row, count, this.signBytes, this.#signQueryAt, this.#signResultsAt);
  }

  #load(queries: readonly QuantisedQuery[]): void {
    for (const [index, { values }] of queries.entries()) this.#queries.set(values, index * this.rowBytes);
    this.#loaded = queries;
  }
}
