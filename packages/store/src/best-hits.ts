import { nthSmallest } from "@loci/domain";
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
    const last = nthSmallest(partitioned, hits.length - limit);
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

function compareRefs(left: VectorHit, right: VectorHit): number {
  return left.ref < right.ref ? -1 : 1;
}
