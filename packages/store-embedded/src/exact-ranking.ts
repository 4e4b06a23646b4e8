import type { Ref } from "@loci/domain";
import type { VectorHit } from "@loci/store";
import type { RowVersion } from "./sent-rows.ts";
import type { ExactCosines } from "./vectors/exact-cosines.ts";

interface ExactHit extends VectorHit {
  readonly cosines: readonly number[];
  readonly best: number;
}

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
): readonly VectorHit[] {
  exact.load(queries);
  const hits: ExactHit[] = [];
  for (const row of candidates) {
    const own = vectors.get(row.ref);
    if (own !== undefined && own.length > 0) hits.push(exactHit(row, own, exact, queries.length));
  }
  const chosen = hits.length <= limit ? hits : bestOfEach(hits, queries.length, limit);
  return chosen
    .toSorted((left, right) => right.best - left.best || compareRefs(left, right))
    .map(({ ref, version, cosines }) => ({ ref, version, cosines }));
}

function exactHit(
  { ref, version }: RowVersion,
  vectors: readonly Float32Array[],
  exact: ExactCosines,
  queries: number,
): ExactHit {
  const cosines = Array.from({ length: queries }, () => -Infinity);
  let best = -Infinity;
  for (const vector of vectors) {
    const found = exact.of(vector);
    for (let query = 0; query < queries; query++) {
      const cosine = found[query] as number;
      if (cosine > (cosines[query] as number)) cosines[query] = cosine;
      if (cosine > best) best = cosine;
    }
  }
  return { ref, version, cosines, best };
}

/** The rows that are among the best `limit` of at least one query. */
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
