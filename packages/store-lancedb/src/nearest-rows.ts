import { type CallSignal, cosineOfUnitVectors, type Ref, type TenantId, type Version } from "@loci/domain";
import type { Table } from "@lancedb/lancedb";
import { ArrowColumns } from "./arrow-columns.ts";
import { hasKey, rowKey } from "./index-rows.ts";

/** One vector of a row that may be among the best. */
export interface NearRow {
  readonly ref: Ref;
  readonly version: Version;
  readonly vector: Float32Array;
  /** How many vectors the row may have. */
  readonly places: number;
}

export interface NearestRowsRequest {
  readonly table: Table;
  /** SQL of the rows that may be found. */
  readonly selection: string;
  readonly vector: Float32Array;
  readonly limit: number;
  /** Whether to ask the index over the vectors. */
  readonly isApproximate: boolean;
  readonly call: CallSignal;
}

/** Asked for beyond the limit, so that one search is enough when few rows are equally good. */
const spare = 32;
const growth = 4;
/** Partitions of the index that are looked into; of a search with few rows in them, more. */
const probes = 32;
const columns = ["ref", "version", "places", "vector", "_distance"];

/**
 * The rows of the `limit` best vectors by exact cosine, and some more. LanceDB computes in single precision and breaks ties
 * as it likes: it is asked for more, until what it left out is proved to be worse.
 */
export async function nearestRows(request: NearestRowsRequest): Promise<readonly NearRow[]> {
  const { table, selection, vector, limit, isApproximate, call } = request;
  for (let asked = limit + spare; ; asked *= growth) {
    call.throwIfAborted();
    const nearest = table.query().nearestTo(vector).distanceType("dot").where(selection).limit(asked).select(columns);
    const query = isApproximate ? nearest.nprobes(probes).maximumNprobes(0) : nearest.bypassVectorIndex();
    const found = new ArrowColumns(await query.toArrow());
    const rows = nearRows(found);
    const last = found.numbers("_distance").at(-1) ?? 0;
    const isAll = found.size < asked;
    if (isAll || isApproximate ? isAll || distinctRefs(rows) >= limit : isProved(rows, vector, limit, 1 - last))
      return rows;
  }
}

/** The vectors that were not near of rows that have several. */
export async function otherVectors(
  table: Table,
  tenant: TenantId,
  found: readonly NearRow[],
): Promise<readonly NearRow[]> {
  const several = new Map(found.filter(({ places }) => places > 1).map((row) => [row.ref, row]));
  const keys = [...several.values()].flatMap(({ ref, places }) =>
    Array.from({ length: places }, (_, place) => (place === 0 ? rowKey(tenant, ref) : rowKey(tenant, ref, place))),
  );
  if (keys.length === 0) return [];
  const rows = await table
    .query()
    .where(`${hasKey(keys)} AND \`vector\` IS NOT NULL`)
    .select(["ref", "version", "places", "vector"])
    .toArrow();
  // A newer version may have come in between; what it says is for the next search.
  return nearRows(new ArrowColumns(rows)).filter(({ ref, version }) => several.get(ref)?.version === version);
}

function nearRows(found: ArrowColumns): readonly NearRow[] {
  const [versions, places, vectors] = [found.numbers("version"), found.numbers("places"), found.vectors("vector")];
  return found.refs().map((ref, index) => ({
    ref,
    version: versions[index] as number,
    vector: vectors[index] as Float32Array,
    places: places[index] as number,
  }));
}

function distinctRefs(rows: readonly NearRow[]): number {
  return new Set(rows.map(({ ref }) => ref)).size;
}

/**
 * Whether the `limit` best of the rows are better than everything that was left out.
 *
 * @param worst the least similarity among the rows, in single precision. A sum of n products in any order, of vectors of
 *   length 1, is wrong by at most n · 2⁻²⁴, and the subtraction from 1 adds as much as one product (Higham, "Accuracy and
 *   Stability of Numerical Algorithms", section 3.1); twice that also covers vectors that are of length 1 nearly.
 */
function isProved(rows: readonly NearRow[], vector: Float32Array, limit: number, worst: number): boolean {
  const best = new Map<Ref, number>();
  for (const row of rows)
    best.set(row.ref, Math.max(best.get(row.ref) ?? -Infinity, cosineOfUnitVectors(row.vector, vector)));
  const limitBest = Float64Array.from(best.values()).toSorted().at(-limit) ?? -Infinity;
  return best.size >= limit && limitBest > worst + 2 * (vector.length + 4) * 2 ** -24;
}
