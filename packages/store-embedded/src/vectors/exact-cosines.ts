import { type Kernel, kernelOn, makeMemory } from "./kernel.ts";

/** Queries that the kernel compares with at once, and vectors. */
const lanes = 10;
const vectorsAtOnce = 2;
const vectorBytes = 4;
const valueBytes = 8;

/**
 * Cosines of float32 vectors with a few queries: the sums of `cosineOfUnitVectors`, each in its order and to the last bit,
 * twenty at a time. Made once and used for one search after the other, as making a memory costs more than a search.
 */
export class ExactCosines {
  readonly #dimensions: number;
  #workspace: Workspace;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#workspace = makeWorkspace(dimensions, 1);
  }

  /** Sets the queries that vectors are compared with. */
  load(queries: readonly Float32Array[]): void {
    const groups = Math.ceil(queries.length / lanes);
    if (groups > this.#workspace.capacity) this.#workspace = makeWorkspace(this.#dimensions, groups);
    this.#workspace.queries = queries.length;
    const { values } = this.#workspace;
    for (const [index, query] of queries.entries()) {
      const first = Math.floor(index / lanes) * lanes * this.#dimensions + (index % lanes);
      for (let at = 0; at < this.#dimensions; at++) values[first + at * lanes] = query[at] as number;
    }
  }

  /** The cosines of each vector with every query, in their order. */
  of(vectors: readonly Float32Array[]): readonly number[][] {
    const cosines = vectors.map((): number[] => []);
    for (let at = 0; at < vectors.length; at += vectorsAtOnce) this.#compare(vectors, at, cosines);
    return cosines;
  }

  #compare(vectors: readonly Float32Array[], at: number, cosines: readonly number[][]): void {
    const { kernel, queries, vectors: places, values, results } = this.#workspace;
    const count = Math.min(vectorsAtOnce, vectors.length - at);
    for (let place = 0; place < count; place++)
      places.set(vectors[at + place] as Float32Array, place * this.#dimensions);
    for (let first = 0; first < queries; first += lanes) {
      kernel.exactTen(
        places.byteOffset,
        this.#dimensions,
        values.byteOffset + first * this.#dimensions * valueBytes,
        results.byteOffset,
      );
      for (let place = 0; place < count; place++) {
        const own = cosines[at + place] as number[];
        for (let query = 0; query < lanes && first + query < queries; query++)
          own.push(results[place * lanes + query] as number);
      }
    }
  }
}

interface Workspace {
  readonly kernel: Kernel;
  /** Groups of queries there is room for. */
  readonly capacity: number;
  /** How many are in use. */
  queries: number;
  readonly vectors: Float32Array;
  readonly values: Float64Array;
  readonly results: Float64Array;
}

function makeWorkspace(dimensions: number, capacity: number): Workspace {
  const valuesAt = Math.ceil((vectorsAtOnce * dimensions * vectorBytes) / 16) * 16;
  const resultsAt = valuesAt + capacity * lanes * dimensions * valueBytes;
  const memory = makeMemory(resultsAt + vectorsAtOnce * lanes * valueBytes);
  return {
    kernel: kernelOn(memory),
    capacity,
    queries: 0,
    vectors: new Float32Array(memory.buffer, 0, vectorsAtOnce * dimensions),
    values: new Float64Array(memory.buffer, valuesAt, capacity * lanes * dimensions),
    results: new Float64Array(memory.buffer, resultsAt, vectorsAtOnce * lanes),
  };
}
