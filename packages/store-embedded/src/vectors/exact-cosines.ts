import { type Kernel, kernelOn, makeMemory } from "./kernel.ts";

/** Queries that the kernel compares with at once. */
const lanes = 8;
const vectorBytes = 4;
const queryBytes = 8;

/**
 * Cosines of float32 vectors with a few queries: the sums of `cosineOfUnitVectors`, each in its order and to the last bit,
 * eight at a time.
 */
export class ExactCosines {
  readonly #dimensions: number;
  readonly #groups: number;
  readonly #kernel: Kernel;
  readonly #vector: Float32Array;
  readonly #results: Float64Array;
  readonly #queriesAt: number;
  readonly #resultsAt: number;

  constructor(queries: readonly Float32Array[]) {
    const dimensions = queries[0]?.length ?? 0;
    this.#dimensions = dimensions;
    this.#groups = Math.ceil(queries.length / lanes);
    this.#queriesAt = Math.ceil((dimensions * vectorBytes) / 16) * 16;
    this.#resultsAt = this.#queriesAt + this.#groups * lanes * dimensions * queryBytes;
    const memory = makeMemory(this.#resultsAt + this.#groups * lanes * queryBytes);
    this.#kernel = kernelOn(memory);
    this.#vector = new Float32Array(memory.buffer, 0, dimensions);
    this.#results = new Float64Array(memory.buffer, this.#resultsAt, this.#groups * lanes);
    const values = new Float64Array(memory.buffer, this.#queriesAt, this.#groups * lanes * dimensions);
    for (const [index, query] of queries.entries()) {
      const first = Math.floor(index / lanes) * lanes * dimensions + (index % lanes);
      for (let at = 0; at < dimensions; at++) values[first + at * lanes] = query[at] as number;
    }
  }

  /** The cosines with every query, in their order. Overwritten by the next call. */
  of(vector: Float32Array): Float64Array {
    this.#vector.set(vector);
    for (let group = 0; group < this.#groups; group++)
      this.#kernel.exactEight(
        0,
        this.#dimensions,
        this.#queriesAt + group * lanes * this.#dimensions * queryBytes,
        this.#resultsAt + group * lanes * queryBytes,
      );
    return this.#results;
  }
}
