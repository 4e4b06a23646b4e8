import type { Ref } from "@loci/domain";
import { bestHits, type ExactHit } from "@loci/store";
import type { RowVersion } from "@loci/store";
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
  const rows: RowVersion[] = [];
  const compared: Float32Array[] = [];
  for (const row of candidates)
    for (const vector of vectors.get(row.ref) ?? []) {
      rows.push(row);
      compared.push(vector);
    }
  exact.load(queries);
  const cosines = exact.of(compared);
  const hits: (RowVersion & { readonly cosines: number[] })[] = [];
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as RowVersion;
    const own = cosines[index] as number[];
    const before = hits.at(-1);
    // Several vectors of one row stand one after the other: each query counts the nearest.
    if (before !== undefined && row === rows[index - 1]) keepGreater(before.cosines, own);
    else hits.push({ ref: row.ref, version: row.version, cosines: own });
  }
  return bestHits(hits, queries.length, limit);
}

function keepGreater(greatest: number[], own: readonly number[]): void {
  for (let query = 0; query < own.length; query++)
    if ((own[query] as number) > (greatest[query] as number)) greatest[query] = own[query] as number;
}
