import type { Ref, Version } from "@loci/domain";
import type { NearVector } from "./nearest-rows.ts";

/** A row that is near to some query vector. */
export interface NearRow {
  readonly ref: Ref;
  readonly version: Version;
  /** Of its nearest vector to each query vector; `Infinity` where none is known. */
  readonly distances: readonly number[];
}

/** What a search has found near its query vectors. */
export class NearList {
  readonly #vectors: readonly NearVector[];
  readonly #queries: number;
  readonly #rows = new Map<Ref, NearRow & { readonly distances: number[] }>();

  constructor(vectors: readonly NearVector[], queries: number) {
    this.#vectors = vectors;
    this.#queries = queries;
    for (const { ref, version, distances } of vectors) {
      const known = this.#rows.get(ref);
      if (known === undefined) this.#rows.set(ref, { ref, version, distances: [...distances] });
      else
        for (let query = 0; query < queries; query++)
          known.distances[query] = Math.min(known.distances[query] as number, distances[query] as number);
    }
  }

  get rows(): readonly NearRow[] {
    return [...this.#rows.values()];
  }

  /** Whether every query vector has so many rows. */
  hasRows(count: number): boolean {
    return this.#everyQuery((query) => inOrder(this.#rows.values(), query).length >= count);
  }

  /** Whether every query vector has so many vectors. */
  hasVectors(count: number): boolean {
    return this.#everyQuery((query) => inOrder(this.#vectors, query).length >= count);
  }

  /**
   * The rows that may be among the best `limit` of some query vector once they are compared exactly.
   *
   * @param asked so many of the nearest vectors of each query vector are known
   * @param error how wrong a distance is at most
   * @returns `undefined` when a row that is not known may be one of them
   */
  thatMayBeBest(limit: number, asked: number, error: number): readonly NearRow[] | undefined {
    const farthest: number[] = [];
    for (let query = 0; query < this.#queries; query++) {
      // Behind that distance a row is certainly worse than `limit` others.
      const far = (inOrder(this.#rows.values(), query)[limit - 1] ?? Infinity) + 2 * error;
      const last = inOrder(this.#vectors, query)[asked - 1];
      if (last !== undefined && far >= last) return undefined;
      farthest.push(far);
    }
    return this.rows.filter(({ distances }) => distances.some((distance, query) => distance <= (farthest[query] ?? 0)));
  }

  #everyQuery(isSo: (query: number) => boolean): boolean {
    for (let query = 0; query < this.#queries; query++) if (!isSo(query)) return false;
    return true;
  }
}

/** The distances to one query vector that are known, nearest first. */
function inOrder(near: Iterable<{ readonly distances: readonly number[] }>, query: number): Float64Array {
  const known: number[] = [];
  for (const { distances } of near) {
    const distance = distances[query] as number;
    if (distance < Infinity) known.push(distance);
  }
  return Float64Array.from(known).toSorted();
}
