import type { CandidateCollector } from "./candidate-collector.ts";
import type { QuantisedQuery } from "./quantise.ts";
import type { RoughQuery } from "./rough-query.ts";
import type { VectorMemory } from "./vector-memory.ts";

/** Domain lets lengths of vectors differ from 1 by less than this. */
export const longest = 1.001;
/** More than what double precision loses in a cosine of the longest vectors. */
export const arithmeticError = 1e-9;

/** Products that are looked through with one floor, at least. */
const fewestAtOnce = 64;

/** Neighbouring rows of one vector each, which the kernel compared with a query. */
export interface ComparedRows {
  /** The vector of the first of them, and how many there are. */
  readonly at: number;
  readonly count: number;
  /** Where their products begin among the kernel's results. */
  readonly results: number;
  /** The number that the first is collected under. */
  readonly number: number;
  /** Whether one may be found, by its place among them; absent when all may. Asked only of rows that could be among the best. */
  readonly accepts: ((index: number) => boolean) | undefined;
}

/** What a product with a query tells of a cosine. */
export interface ProductBounds {
  /** What the product is multiplied by, besides the row's scale. */
  readonly scale: number;
  /** The cosine is further off than this times the row's error, and `leastError`, in no case. */
  readonly errorFactor: number;
  readonly leastError: number;
}

export function boundsOf({ scale, error }: QuantisedQuery): ProductBounds {
  return { scale, errorFactor: longest + error, leastError: longest * error + arithmeticError };
}

/** The bounds hold for the upper bound that the 16-bit query gives, not only for the cosine. */
export function roughBoundsOf({ error }: QuantisedQuery, rough: RoughQuery): ProductBounds {
  const both = error + rough.error;
  return { scale: rough.scale, errorFactor: longest + both, leastError: longest * both + 2 * arithmeticError };
}

/** Offers rows until there are as many as are asked for. @returns how many rows were gone through */
export function fillWithRows(
  memory: VectorMemory,
  { at, count, results, number, accepts }: ComparedRows,
  query: QuantisedQuery,
  collector: CandidateCollector,
): number {
  let index = 0;
  for (; index < count && !collector.isFilled; index++)
    if (accepts === undefined || accepts(index))
      collectRow(memory, query, at + index, memory.results[results + index] as number, number + index, collector);
  collector.compared += index;
  return index;
}

/**
 * Offers the rows that may be among the best, once there are as many as are asked for.
 *
 * @param start the first of them that is looked at
 * @param bounds of the products that the kernel made
 * @param multiply has the memory tell the products with the 16-bit query of so many rows that it reached, by their places
 *   from one of the rows on
 * @returns how many it told
 */
export function collectRows(
  memory: VectorMemory,
  { at, count, results, number, accepts }: ComparedRows,
  start: number,
  bounds: ProductBounds,
  query: QuantisedQuery,
  multiply: (from: number, found: number) => void,
  collector: CandidateCollector,
): number {
  let told = 0;
  for (let from = start; from < count;) {
    // The more rows were compared, the fewer of as many again reach the floor.
    const some = Math.min(count - from, Math.max(fewestAtOnce, collector.compared));
    const floor = collector.threshold - bounds.leastError;
    let found = memory.reach(at + from, some, results + from, bounds.scale, bounds.errorFactor, floor);
    if (accepts !== undefined) found = keepAccepted(memory.reached, found, from, accepts);
    multiply(from, found);
    told += found;
    collectReached(memory, found, at + from, number + from, query, collector);
    from += some;
    collector.compared += some;
  }
  return told;
}

/** Offers the rows that the memory reached and told the products of. */
export function collectReached(
  memory: VectorMemory,
  found: number,
  at: number,
  number: number,
  query: QuantisedQuery,
  collector: CandidateCollector,
): void {
  for (let place = 0; place < found; place++) {
    const index = memory.reached[place] as number;
    collectRow(memory, query, at + index, memory.products[place] as number, number + index, collector);
  }
}

function keepAccepted(reached: Int32Array, found: number, from: number, accepts: (index: number) => boolean): number {
  let kept = 0;
  for (let place = 0; place < found; place++) {
    const index = reached[place] as number;
    if (accepts(from + index)) reached[kept++] = index;
  }
  return kept;
}

/** Offers a row that has one vector, by the product of this with the query, if it may be among the best. */
export function collectRow(
  { scales, errors }: VectorMemory,
  query: QuantisedQuery,
  vector: number,
  product: number,
  number: number,
  collector: CandidateCollector,
): void {
  const estimate = product * (scales[vector] as number) * query.scale;
  const error = (errors[vector] as number) * (longest + query.error) + (longest * query.error + arithmeticError);
  if (estimate + error >= collector.threshold) collector.offer(number, estimate - error, estimate + error);
}
