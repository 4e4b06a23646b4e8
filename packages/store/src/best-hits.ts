import type { VectorHit } from "./vector-store.ts";

/** A hit all of whose cosines are known. */
export interface ExactHit extends VectorHit {
  readonly cosines: readonly number[];
}

/**
 * The answer to a search, chosen from a superset of it: the best `limit` rows of each query vector, ordered by their best
 * cosine, ties by ref.
 */
export function bestHits(hits: readonly ExactHit[], queries: number, limit: number): readonly ExactHit[] {
  const chosen = hits.length <= limit ? hits : bestOfEach(hits, queries, limit);
  if (queries === 1)
    return chosen.toSorted(
      (left, right) => (right.cosines[0] as number) - (left.cosines[0] as number) || compareRefs(left, right),
    );
  return chosen
    .map((hit) => ({ hit, best: greatest(hit.cosines) }))
    .toSorted((left, right) => right.best - left.best || compareRefs(left.hit, right.hit))
    .map(({ hit }) => hit);
}

function greatest(cosines: readonly number[]): number {
  let best = -Infinity;
  for (const cosine of cosines) best = Math.max(best, cosine);
  return best;
}

function bestOfEach(hits: readonly ExactHit[], queries: number, limit: number): readonly ExactHit[] {
  const chosen = new Set<ExactHit>();
  const cosines = new Float64Array(hits.length);
  const partitioned = new Float64Array(hits.length);
  for (let query = 0; query < queries; query++) {
    for (let index = 0; index < hits.length; index++)
      cosines[index] = (hits[index] as ExactHit).cosines[query] as number;
    partitioned.set(cosines);
    const last = ascendingAt(partitioned, hits.length - limit);
    const equal: ExactHit[] = [];
    let better = 0;
    for (let index = 0; index < hits.length; index++) {
      const cosine = cosines[index] as number;
      if (cosine < last) continue;
      const hit = hits[index] as ExactHit;
      if (cosine === last) equal.push(hit);
      else {
        better++;
        chosen.add(hit);
      }
    }
    for (const hit of equal.toSorted(compareRefs).slice(0, limit - better)) chosen.add(hit);
  }
  return [...chosen];
}

/** The number that would stand at a place if all were in ascending order. Moves them (Hoare's selection). */
function ascendingAt(numbers: Float64Array, place: number): number {
  let [first, end] = [0, numbers.length - 1];
  while (first < end) {
    const pivot = numbers[(first + end) >>> 1] as number;
    let [low, high] = [first, end];
    while (low <= high) {
      while ((numbers[low] as number) < pivot) low++;
      while ((numbers[high] as number) > pivot) high--;
      if (low > high) break;
      const moved = numbers[low] as number;
      numbers[low++] = numbers[high] as number;
      numbers[high--] = moved;
    }
    if (place <= high) end = high;
    else if (place >= low) first = low;
    else break;
  }
  return numbers[place] as number;
}

function compareRefs(left: VectorHit, right: VectorHit): number {
  return left.ref < right.ref ? -1 : 1;
}
