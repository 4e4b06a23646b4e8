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
  return chosen
    .map((hit) => ({ hit, best: Math.max(...hit.cosines) }))
    .toSorted((left, right) => right.best - left.best || compareRefs(left.hit, right.hit))
    .map(({ hit }) => hit);
}

function bestOfEach(hits: readonly ExactHit[], queries: number, limit: number): readonly ExactHit[] {
  const chosen = new Set<ExactHit>();
  const cosines = new Float64Array(hits.length);
  for (let query = 0; query < queries; query++) {
    for (const [index, hit] of hits.entries()) cosines[index] = hit.cosines[query] as number;
    const last = cosines.toSorted().at(-limit) as number;
    const equal: ExactHit[] = [];
    let better = 0;
    for (const hit of hits) {
      const cosine = hit.cosines[query] as number;
      if (cosine === last) equal.push(hit);
      if (cosine <= last) continue;
      better++;
      chosen.add(hit);
    }
    for (const hit of equal.toSorted(compareRefs).slice(0, limit - better)) chosen.add(hit);
  }
  return [...chosen];
}

function compareRefs(left: VectorHit, right: VectorHit): number {
  return left.ref < right.ref ? -1 : 1;
}
