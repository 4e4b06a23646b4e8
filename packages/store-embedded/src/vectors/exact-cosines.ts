import { type Kernel, kernelOn, makeMemory } from "./kernel.ts";

/** Queries that the kernel compares with at once. */
const lanes = 8;
const vectorBytes = 4;
const valueBytes = 8;

/**
 * Cosines of float32 vectors with a few queries: the sums of `cosineOfUnitVectors`, each in its order and to the last bit,
 * eight at a time. Made once and used for one search after the other, as making a memory costs more than a search.
 */
export class ExactCosines {
  readonly #dimensions: number;
  #workspace: Workspace;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#workspace = makeWorkspace(dimensions, 2);
  }

  /** Sets the queries that vectors are compared with. */
  load(queries: readonly Float32Array[]): void {
    const groups = Math.ceil(queries.length / lanes);
    if (groups > this.#workspace.capacity) this.#workspace = makeWorkspace(this.#dimensions, groups);
    this.#workspace.groups = groups;
    const { values } = this.#workspace;
    for (const [index, query] of queries.entries()) {
      const first = Math.floor(index / lanes) * lanes * this.#dimensions + (index % lanes);
      for (let at = 0; at < this.#dimensions; at++) values[first + at * lanes] = query[at] as number;
    }
  }

  /** The cosines with every query, in their order. Overwritten by the next call. */
  of(vector: Float32Array): Float64Array {
    const { kernel, groups, vector: place, values, results } = this.#workspace;
    place.set(vector);
    for (let group = 0; group < groups; group++)
      kernel.exactEight(
        0,
        this.#dimensions,
        values.byteOffset + group * lanes * this.#dimensions * valueBytes,
        results.byteOffset + group * lanes * valueBytes,
      );
    return results;
  }
}

interface Workspace {
  readonly kernel: Kernel;
  /** Groups of queries there is room for, and that are in use. */
  readonly capacity: number;
  groups: number;
  readonly vector: Float32Array;
  readonly values: Float64Array;
  readonly results: Float64Array;
}

function makeWorkspace(dimensions: number, capacity: number): Workspace {
  const valuesAt = Math.ceil((dimensions * vectorBytes) / 16) * 16;
  const resultsAt = valuesAt + capacity * lanes * dimensions * valueBytes;
  const memory = makeMemory(resultsAt + capacity * lanes * valueBytes);
  return {
    kernel: kernelOn(memory),
    capacity,
    groups: 0,
    vector: new Float32Array(memory.buffer, 0, dimensions),
    values: new Float64Array(memory.buffer, valuesAt, capacity * lanes * dimensions),
    results: new Float64Array(memory.buffer, resultsAt, capacity * lanes),
  };
}
