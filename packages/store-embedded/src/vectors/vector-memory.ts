import { type Kernel, kernelOn, largestMemory, makeMemory, pageBytes } from "./kernel.ts";
import { paddedDimensions, type QuantisedQuery, type QuantisedVector } from "./quantise.ts";
import { interleaveDigits, type RoughQuery, roughQueriesPerPass } from "./rough-query.ts";

/** Queries that one pass over the rows compares with. */
export const queriesPerPass = 4;

/** About what one pass reads before the next group of queries reads it again: it stays in the core's own cache. */
const passBytes = 512 * 1024;

/** More than single precision loses in the sums of `reach`, which are below 2. */
export const reachMargin = 2e-6;

/**
 * Most vectors of so many dimensions that one index can hold: WebAssembly addresses 4 GiB with 32 bits. A little is kept
 * for queries and results.
 *
 * @param withSigns when each has the sign of every dimension beside it
 */
export function maxVectors(dimensions: number, withSigns = false): number {
  const vectorBytes = paddedDimensions(dimensions) + numbersOfVector * 4 + (withSigns ? bytesOfSigns(dimensions) : 0);
  return Math.floor((largestMemory - pageBytes * 64) / vectorBytes);
}

/** Numbers that are kept of a vector besides its codes: its scale and its error. */
const numbersOfVector = 2;

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
  /** What the codes of each vector are multiplied by. */
  readonly scales: Float32Array<ArrayBuffer>;
  /** The length of what each vector's codes leave out. */
  readonly errors: Float32Array<ArrayBuffer>;
  /** Most vectors that one call of `dot` may compare. */
  readonly vectorsPerCall: number;
  /** The kernel's answers: those of the first query, then those of the second. */
  readonly results: Int32Array;
  /** The answers of `reach`. */
  readonly reached: Int32Array;
  /** The answers of `dotReached` and `takeReached`. */
  readonly products: Int32Array;
  readonly #queries: Int16Array;
  readonly #digits: Uint8Array;
  readonly #kernel: Kernel;
  readonly #codesAt: number;
  readonly #digitsAt: number;
  readonly #resultsAt: number;
  readonly #reachedAt: number;
  readonly #productsAt: number;
  readonly #scalesAt: number;
  readonly #errorsAt: number;

  #loaded: readonly QuantisedQuery[] | undefined;
  #loadedRough: readonly RoughQuery[] | undefined;

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
    this.#digitsAt = roughQueriesPerPass * 2 * this.rowBytes;
    this.#resultsAt = this.#digitsAt + roughQueriesPerPass * this.rowBytes;
    this.#reachedAt = this.#resultsAt + roughQueriesPerPass * numbersBytes(this.vectorsPerCall);
    this.#productsAt = this.#reachedAt + numbersBytes(this.vectorsPerCall);
    this.#scalesAt = this.#productsAt + numbersBytes(this.vectorsPerCall);
    this.#errorsAt = this.#scalesAt + numbersBytes(capacity);
    this.#codesAt = this.#errorsAt + numbersBytes(capacity);
    this.signBytes = bytesOfSigns(dimensions);
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
    this.scales = new Float32Array(memory.buffer, this.#scalesAt, capacity);
    this.errors = new Float32Array(memory.buffer, this.#errorsAt, capacity);
    this.results = new Int32Array(memory.buffer, this.#resultsAt, roughQueriesPerPass * this.vectorsPerCall);
    this.reached = new Int32Array(memory.buffer, this.#reachedAt, this.vectorsPerCall);
    this.products = new Int32Array(memory.buffer, this.#productsAt, this.vectorsPerCall);
    this.#queries = new Int16Array(memory.buffer, 0, roughQueriesPerPass * this.rowBytes);
    this.#digits = new Uint8Array(memory.buffer, this.#digitsAt, roughQueriesPerPass * this.rowBytes);
  }

  put(index: number, { codes, scale, error }: QuantisedVector): void {
    this.codes.set(new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength), index * this.rowBytes);
    this.scales[index] = scale;
    this.errors[index] = error;
  }

  /** Copies the vectors `from` up to `to` of another memory, to `target` and the places after it. */
  copy(source: VectorMemory, from: number, to: number, target: number): void {
    const { rowBytes } = this;
    this.codes.set(source.codes.subarray(from * rowBytes, to * rowBytes), target * rowBytes);
    this.scales.set(source.scales.subarray(from, to), target);
    this.errors.set(source.errors.subarray(from, to), target);
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
   * As `dot`, with up to nine queries of 7 bits.
   *
   * @param count at most `vectorsPerCall`
   */
  dotRough(first: number, count: number, queries: readonly RoughQuery[]): void {
    if (this.#loadedRough !== queries) interleaveDigits(queries, this.#digits);
    this.#loadedRough = queries;
    const row = this.#codesAt + first * this.rowBytes;
    this.#kernel.roughNine(row, count, this.rowBytes, this.#digitsAt, this.#resultsAt);
  }

  /**
   * Compares those vectors with one of up to nine queries whose places from `first` on are in `reached`; the answers are
   * in `products`, in their order.
   */
  dotReached(first: number, count: number, queries: readonly QuantisedQuery[], query: number): void {
    if (this.#loaded !== queries) this.#load(queries);
    const { rowBytes } = this;
    const rows = this.#codesAt + first * rowBytes;
    this.#kernel.dotPlaces(rows, this.#reachedAt, count, rowBytes, query * 2 * rowBytes, this.#productsAt);
  }

  /** Takes the answers of `dot` for those vectors whose places from `resultsAt` on are in `reached`, as `dotReached`. */
  takeReached(resultsAt: number, count: number): void {
    for (let index = 0; index < count; index++)
      this.products[index] = this.results[resultsAt + (this.reached[index] as number)] as number;
  }

  /**
   * Which of the vectors that `dot` compared last with a query may have a cosine of at least `floor`: those with
   * product × scale × `queryScale` + error × `errorFactor` ≥ `floor`. All that have it, and perhaps some that miss it by
   * less than {@link reachMargin}; their places from the first compared on, ascending, are in `reached`.
   *
   * @param first the first vector compared, and how many were
   * @param resultsAt where their products begin in `results`
   * @returns how many were found
   */
  reach(
    first: number,
    count: number,
    resultsAt: number,
    queryScale: number,
    errorFactor: number,
    floor: number,
  ): number {
    const found = this.#kernel.reach(
      this.#resultsAt + 4 * resultsAt,
      count,
      this.#scalesAt + 4 * first,
      this.#errorsAt + 4 * first,
      queryScale,
      errorFactor,
      floor - reachMargin,
      this.#reachedAt,
    );
    let last = found;
    while (last > 0 && (this.reached[last - 1] as number) >= count) last--;
    return last;
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

/** Bytes of so many 32-bit numbers, which the kernel reads four at a time. */
function numbersBytes(count: number): number {
  return Math.ceil(count / 4) * 16;
}

/** Bytes of the signs of a vector, which the kernel compares 16 at a time. */
function bytesOfSigns(dimensions: number): number {
  return Math.ceil(dimensions / 128) * 16;
}
