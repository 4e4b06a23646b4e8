import { cosineOfUnitVectors, type Ref } from "@loci/domain";
import type { ExactHit } from "@loci/store";
import type { Statements } from "../postgres/transaction.ts";
import type { Selection } from "./nearest-rows.ts";
import { decodeVector } from "./vector-codec.ts";

/** Rows whose vectors are read at once, which bounds the memory that takes. */
const rowsAtOnce = 500;

/** Reads the vectors of rows, and compares them: of a row with several vectors the best with each query vector. */
export async function compareExactly(
  statements: Statements,
  { rows: table, tenant }: Pick<Selection, "rows" | "tenant">,
  queries: readonly Float32Array[],
  refs: readonly Ref[],
): Promise<readonly ExactHit[]> {
  const hits = new Map<Ref, ExactHit & { readonly cosines: number[] }>();
  for (let start = 0; start < refs.length; start += rowsAtOnce) {
    const found = await statements.query<{ ref: Ref; version: string; vector: Buffer }>(
      // One look at the primary key for each: a plan made for another table's size reads all rows of the tenant.
      `SELECT asked.ref, version, vector FROM unnest($2::uuid[]) AS asked (ref) CROSS JOIN LATERAL
        (SELECT version, vector_send(embedding) AS vector FROM ${table} AS row
        WHERE row.tenant = $1 AND row.ref = asked.ref AND embedding IS NOT NULL OFFSET 0) AS own`,
      [tenant, refs.slice(start, start + rowsAtOnce)],
    );
    for (const { ref, version, vector: bytes } of found) {
      const vector = decodeVector(bytes);
      let hit = hits.get(ref);
      if (hit === undefined)
        hits.set(ref, (hit = { ref, version: Number(version), cosines: queries.map(() => -Infinity) }));
      for (const [index, query] of queries.entries())
        hit.cosines[index] = Math.max(hit.cosines[index] as number, cosineOfUnitVectors(vector, query));
    }
  }
  return [...hits.values()];
}
