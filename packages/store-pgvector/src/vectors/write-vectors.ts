import { formatScope } from "@loci/domain";
import type { OpenTables } from "../schema/tables.ts";
import type { RowWriting } from "../row-store.ts";
import { isSetApart } from "../set-apart.ts";
import { storedFields } from "../stored-fields.ts";
import { encodeVectors } from "./vector-codec.ts";

/** Table rows written with one statement, which bounds the memory that takes. */
const rowsAtOnce = 1_000;

interface TableRow {
  readonly ref: string;
  readonly version: number;
  readonly scope: string | null;
  readonly fields: unknown;
  readonly isApart: boolean;
  readonly chunk: number;
}

/** Replaces rows and their vectors. A row without vectors, and a deleted one, has one table row without a vector. */
export async function writeVectors(
  { rows: table, vectorType }: OpenTables,
  { transaction, tenant, changes, replaced }: RowWriting,
): Promise<void> {
  if (replaced.length > 0)
    await transaction.query(`DELETE FROM ${table} WHERE tenant = $1 AND ref = ANY($2)`, [tenant, replaced]);
  const rows: TableRow[] = [];
  const vectors: (Float32Array | undefined)[] = [];
  for (const change of changes) {
    const { ref, version } = change;
    const isUpsert = change.type === "upsert";
    const own = isUpsert && change.vectors.length > 0 ? change.vectors : [undefined];
    const scope = isUpsert ? formatScope(change.scope) : null;
    const fields = isUpsert ? storedFields(change.fields) : [];
    const isApart = isUpsert && isSetApart(change.fields);
    for (const [chunk, vector] of own.entries()) {
      rows.push({ ref, version, scope, fields, isApart, chunk });
      vectors.push(vector);
    }
  }
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const end = start + rowsAtOnce;
    await transaction.query(
      `INSERT INTO ${table} (tenant, ref, version, scope, field_values, is_apart, chunk, embedding)
      SELECT $1, ref, version, scope, fields, is_apart, chunk, embedding
      FROM ROWS FROM (
        json_to_recordset($2) AS (ref uuid, version bigint, scope text, fields jsonb, "isApart" boolean, chunk smallint),
        unnest($3::vector[])
      ) AS row (ref, version, scope, fields, is_apart, chunk, embedding)`,
      [tenant, JSON.stringify(rows.slice(start, end)), encodeVectors(vectors.slice(start, end), vectorType)],
    );
  }
}
