import { formatScope } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import { countsOf, lengthOf, TextCounts } from "./text-counts.ts";

/**
 * Replaces rows, their postings, and what they add to the tenant's statistics. Costs follow the terms of the rows, before
 * and after: each distinct term of the call is counted once, however many rows have it.
 */
export async function writeTexts(tables: TextTables, writing: RowWriting): Promise<void> {
  const counts = countsOf(writing.changes);
  if (writing.replaced.length > 0) counts.subtract(await removeRows(tables, writing));
  await insertRows(tables, writing);
  await addCounts(tables, writing, counts);
}

/** @returns what the rows have counted */
async function removeRows(
  { rows, postings, isLive }: TextTables,
  { transaction, tenant, replaced }: RowWriting,
): Promise<TextCounts> {
  const counts = new TextCounts();
  const lengths = await transaction.query<{ length: number }>(
    `SELECT length FROM ${rows} WHERE tenant = $1 AND ref = ANY($2) AND ${isLive}`,
    [tenant, replaced],
  );
  for (const { length } of lengths) counts.addRow(length);
  const terms = await transaction.query<{ term: string; documents: number }>(
    `WITH old AS (DELETE FROM ${rows} WHERE tenant = $1 AND ref = ANY($2) RETURNING ref, scope, terms),
    old_terms AS (SELECT ref, scope, term FROM old, jsonb_object_keys(terms) AS term),
    old_postings AS (DELETE FROM ${postings} AS posting USING old_terms AS old
      WHERE posting.tenant = $1 AND posting.term = old.term AND posting.scope = old.scope AND posting.ref = old.ref)
    SELECT term, count(*)::integer AS documents FROM old_terms GROUP BY term`,
    [tenant, replaced],
  );
  for (const { term, documents } of terms) counts.addTerm(term, documents);
  return counts;
}

async function insertRows({ rows, postings }: TextTables, { transaction, tenant, changes }: RowWriting): Promise<void> {
  await transaction.query(
    // In the order of their index, into which they then go a third more quickly.
    `WITH new AS (SELECT * FROM json_to_recordset($2)
      AS text (ref uuid, version bigint, scope text, fields jsonb, length integer, terms jsonb)),
    new_rows AS (INSERT INTO ${rows} (tenant, ref, version, scope, fields, length, terms)
      SELECT $1, ref, version, scope, fields, length, terms FROM new)
    INSERT INTO ${postings} (tenant, term, scope, ref, frequency, length)
    SELECT $1, term, scope, ref, frequency::integer, length FROM new, jsonb_each(terms) AS own (term, frequency)
    ORDER BY term COLLATE "C", scope COLLATE "C", ref`,
    [tenant, JSON.stringify(changes.map(textRow))],
  );
}

async function addCounts(
  { terms: table, checkpoints }: TextTables,
  { transaction, tenant }: RowWriting,
  { documents, totalLength, terms }: TextCounts,
): Promise<void> {
  const changed = [...terms].filter(([, count]) => count !== 0);
  await transaction.query(
    `INSERT INTO ${table} AS known (tenant, term, documents)
    SELECT $1, term, documents FROM unnest($2::text[], $3::bigint[]) AS changed (term, documents)
    ON CONFLICT (tenant, term) DO UPDATE SET documents = known.documents + excluded.documents`,
    [tenant, changed.map(([term]) => term), changed.map(([, count]) => count)],
  );
  // A forgotten text leaves none of its words behind.
  const fewer = changed.flatMap(([term, count]) => (count < 0 ? [term] : []));
  if (fewer.length > 0)
    await transaction.query(`DELETE FROM ${table} WHERE tenant = $1 AND term = ANY($2) AND documents = 0`, [
      tenant,
      fewer,
    ]);
  await transaction.query(
    `UPDATE ${checkpoints} SET documents = documents + $2, total_length = total_length + $3 WHERE tenant = $1`,
    [tenant, documents, totalLength],
  );
}

function textRow(change: IndexChange): object {
  const { ref, version } = change;
  if (change.type === "delete") return { ref, version, scope: null, fields: {}, length: 0, terms: {} };
  const { scope, fields, terms } = change;
  return { ref, version, scope: formatScope(scope), fields, length: lengthOf(terms), terms: Object.fromEntries(terms) };
}
