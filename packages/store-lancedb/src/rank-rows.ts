import { cosineOfUnitVectors, type Ref, type Version } from "@loci/domain";
import type { VectorHit } from "@loci/store";

/** One vector of a row. */
interface RowVector {
  readonly ref: Ref;
  readonly version: Version;
  readonly vector: Float32Array;
}

interface ExactHit extends VectorHit {
  readonly cosines: readonly number[];
}

/**
 * Ranks rows by their exact cosines: the best `limit` of each query vector, all in the order of their best cosine, then by
 * ref.
 *
 * @param rows all vectors of every row; some may be there more than once
 */
export function rankRows(
  rows: readonly RowVector[],
  queries: readonly Float32Array[],
  limit: number,
): readonly VectorHit[] {
  const vectorsOf = Map.groupBy(rows, ({ ref }) => ref);
  const hits = [...vectorsOf].map(([ref, own]): ExactHit => {
    const version = own[0]?.version ?? 0;
    const vectors = own.filter((row) => row.version === version).map(({ vector }) => vector);
    return { ref, version, cosines: queries.map((query) => bestCosine(vectors, query)) };
  });
  const chosen = new Set<ExactHit>();
  for (let query = 0; query < queries.length; query++)
    for (const hit of best(hits, ({ cosines }) => cosines[query] as number).slice(0, limit)) chosen.add(hit);
  return best([...chosen], ({ cosines }) => Math.max(...cosines));
}

function bestCosine(vectors: readonly Float32Array[], query: Float32Array): number {
  return Math.max(...vectors.map((vector) => cosineOfUnitVectors(vector, query)));
}

function best(hits: readonly ExactHit[], score: (hit: ExactHit) => number): readonly ExactHit[] {
  return hits.toSorted((left, right) => score(right) - score(left) || (left.ref < right.ref ? -1 : 1));
}
