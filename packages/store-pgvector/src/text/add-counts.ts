import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import type { TextCounts } from "./text-counts.ts";

/** Keeps a tenant's statistics, each distinct term of a call once. A forgotten text leaves none of its words behind. */
export async function addCounts(
  { terms: table, checkpoints }: TextTables,
  { transaction, tenant }: RowWriting,
  { documents, totalLength, terms }: TextCounts,
): Promise<void> {
  const changed = [...terms].filter(([, count]) => count !== 0);
  if (changed.length > 0)
    await transaction.query(
      `INSERT INTO ${table} AS known (tenant, term, documents)
      SELECT $1, term, documents FROM unnest($2::text[], $3::bigint[]) AS changed (term, documents)
      ON CONFLICT (tenant, term) DO UPDATE SET documents = known.documents + excluded.documents`,
      [tenant, changed.map(([term]) => term), changed.map(([, count]) => count)],
    );
  const fewer = changed.flatMap(([term, count]) => (count < 0 ? [term] : []));
  if (fewer.length > 0)
    await transaction.query(`DELETE FROM ${table} WHERE tenant = $1 AND term = ANY($2) AND documents = 0`, [
      tenant,
      fewer,
    ]);
  if (documents !== 0 || totalLength !== 0)
    await transaction.query(
      `UPDATE ${checkpoints} SET documents = documents + $2, total_length = total_length + $3 WHERE tenant = $1`,
      [tenant, documents, totalLength],
    );
}
