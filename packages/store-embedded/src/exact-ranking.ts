import { cosineOfUnitVectors, type Ref } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { RowVersion } from "./sent-rows.ts";

interface ExactHit extends VectorHit {
  readonly cosines: readonly number[];
}

/**
 * Ranks candidates by their exact cosines: the best `limit` of each query vector, all in the order of their best cosine.
 *
 * @param candidates a superset of the answer; those without vectors are left out
 */
export function rankExactly(
  candidates: readonly RowVersion[],
  vectors: ReadonlyMap<Ref, readonly Float32Array[]>,
  queries: readonly Float32Array[],
  limit: number,
): readonly VectorHit[] {
  const hits = candidates.flatMap((row) => {
    const own = vectors.get(row.ref);
    return own === undefined || own.length === 0 ? [] : [exactHit(row, own, queries)];
  });
  if (hits.length <= limit) return hits.toSorted(byBestCosine);
  const chosen = new Set<ExactHit>();
  for (let query = 0; query < queries.length; query++)
    for (const hit of hits.toSorted(byCosine(query)).slice(0, limit)) chosen.add(hit);
  return [...chosen].toSorted(byBestCosine);
}

function exactHit(
  { ref, version }: RowVersion,
  vectors: readonly Float32Array[],
  queries: readonly Float32Array[],
): ExactHit {
  const cosines = queries.map((query) => {
    let best = -Infinity;
    for (const vector of vectors) best = Math.max(best, cosineOfUnitVectors(vector, query));
    return best;
  });
  return { ref, version, cosines };
}

function byCosine(query: number): (left: ExactHit, right: ExactHit) => number {
  return (left, right) => (right.cosines[query] as number) - (left.cosines[query] as number) || byRef(left, right);
}

function byBestCosine(left: ExactHit, right: ExactHit): number {
  return Math.max(...right.cosines) - Math.max(...left.cosines) || byRef(left, right);
}

function byRef(left: ExactHit, right: ExactHit): number {
  return left.ref < right.ref ? -1 : 1;
}
