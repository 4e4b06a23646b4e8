import { cosineOfUnitVectors, type Ref, type Version } from "@loci/domain";
import { bestHits, type ExactHit, type VectorHit } from "@loci/store";

/** One vector of a row. */
interface RowVector {
  readonly ref: Ref;
  readonly version: Version;
  readonly vector: Float32Array;
}

/**
 * Ranks rows by their exact cosines: the best `limit` of each query vector, in the order of their best cosine.
 *
 * @param rows all vectors of every row; some may be there more than once
 */
export function rankRows(
  rows: readonly RowVector[],
  queries: readonly Float32Array[],
  limit: number,
): readonly VectorHit[] {
  const hits = [...Map.groupBy(rows, ({ ref }) => ref)].map(([ref, own]): ExactHit => {
    const version = own[0]?.version ?? 0;
    const vectors = own.filter((row) => row.version === version).map(({ vector }) => vector);
    return { ref, version, cosines: queries.map((query) => bestCosine(vectors, query)) };
  });
  return bestHits(hits, queries.length, limit);
}

function bestCosine(vectors: readonly Float32Array[], query: Float32Array): number {
  return Math.max(...vectors.map((vector) => cosineOfUnitVectors(vector, query)));
}
