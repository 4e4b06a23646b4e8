import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import { changedCounts, type CountPage } from "./count-pages.ts";
import type { TextCounts } from "./text-counts.ts";

/** Keeps a tenant's statistics, each distinct term of a call once. A forgotten text leaves none of its words behind. */
export async function addCounts(
  tables: TextTables,
  writing: RowWriting,
  { documents, totalLength, terms }: TextCounts,
): Promise<void> {
  const { transaction, tenant } = writing;
  const changed = new Map([...terms].filter(([, count]) => count !== 0));
  if (changed.size > 0) await changeCounts(tables, writing, changed);
  if (documents !== 0 || totalLength !== 0)
    await transaction.query(
      `UPDATE ${tables.checkpoints} SET documents = documents + $2, total_length = total_length + $3 WHERE tenant = $1`,
      [tenant, documents, totalLength],
    );
}

async function changeCounts(
  { terms: table }: TextTables,
  { transaction, tenant }: RowWriting,
  changes: ReadonlyMap<string, number>,
): Promise<void> {
  const pages = await transaction.query<CountPage>(
    `SELECT first_term AS "firstTerm", words FROM (SELECT DISTINCT coalesce(
        (SELECT before.first_term FROM ${table} AS before WHERE before.tenant = $1
          AND before.first_term <= changed.term COLLATE "C" ORDER BY before.first_term DESC LIMIT 1),
        (SELECT min(first_term) FROM ${table} WHERE tenant = $1)) AS beginning
      FROM json_array_elements_text($2) AS changed (term)) AS found
    CROSS JOIN LATERAL (SELECT first_term, words FROM ${table} AS own
      WHERE own.tenant = $1 AND own.first_term = found.beginning OFFSET 0) AS page ORDER BY first_term`,
    [tenant, JSON.stringify([...changes.keys()])],
  );
  const { written, gone } = changedCounts(pages, changes);
  if (gone.length > 0)
    await transaction.query(`DELETE FROM ${table} WHERE tenant = $1 AND first_term = ANY($2)`, [tenant, gone]);
  await transaction.query(
    `INSERT INTO ${table} (tenant, first_term, words) SELECT $1, "firstTerm", words
    FROM json_to_recordset($2) AS page ("firstTerm" text, words text)
    ON CONFLICT (tenant, first_term) DO UPDATE SET words = excluded.words`,
    [tenant, JSON.stringify(written)],
  );
}
