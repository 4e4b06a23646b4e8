import type { Ref } from "@loci/domain";
import { bestHits, type ExactHit } from "@loci/store";
import type { RowVersion } from "./sent-rows.ts";
import type { ExactCosines } from "./vectors/exact-cosines.ts";

/**
 * Ranks candidates by their exact cosines: the best `limit` of each query vector, all in the order of their best cosine.
 *
 * @param candidates a superset of the answer; those without vectors are left out
 * @param exact of the space, not in use elsewhere while this runs
 */
export function rankExactly(
  candidates: readonly RowVersion[],
  vectors: ReadonlyMap<Ref, readonly Float32Array[]>,
  queries: readonly Float32Array[],
  limit: number,
  exact: ExactCosines,
): readonly ExactHit[] {
  exact.load(queries);
  const hits: ExactHit[] = [];
  for (const row of candidates) {
    const own = vectors.get(row.ref);
    if (own !== undefined && own.length > 0) hits.push(exactHit(row, own, exact, queries.length));
  }
  return bestHits(hits, queries.length, limit);
}

function exactHit(
  { ref, version }: RowVersion,
  vectors: readonly Float32Array[],
  exact: ExactCosines,
  queries: number,
): ExactHit {
  const cosines = Array.from({ length: queries }, () => -Infinity);
  for (const vector of vectors) {
    const found = exact.of(vector);
    for (let query = 0; query < queries; query++) {
      const cosine = found[query] as number;
      if (cosine > (cosines[query] as number)) cosines[query] = cosine;
    }
  }
  return { ref, version, cosines };
}
