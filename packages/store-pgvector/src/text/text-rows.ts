import { formatScope, type Ref, type ScopeText } from "@loci/domain";
import type { IndexChange, TermFrequencies } from "@loci/store";
import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import type { NumberedText } from "./gather-postings.ts";
import { lengthOf } from "./text-counts.ts";
import { type DivisionKey, divisionKey, divisionKeyOf, type TextDivisions } from "./text-divisions.ts";

/** A live text as the table has it, or is to have it. */
export interface TextRow extends NumberedText {
  readonly ref: Ref;
  readonly key: DivisionKey;
  readonly terms: TermFrequencies;
}

interface StoredText {
  readonly ref: Ref;
  readonly scope: ScopeText;
  readonly isApart: boolean;
  readonly number: number;
  readonly length: number;
  readonly terms: Readonly<Record<string, number>>;
}

/** The live texts among those that are to be replaced. */
export async function formerTexts(
  { rows, divisions, isLive }: TextTables,
  { transaction, tenant, replaced }: RowWriting,
): Promise<ReadonlyMap<Ref, TextRow>> {
  if (replaced.length === 0) return new Map();
  const found = await transaction.query<StoredText>(
    `SELECT ref, scope, number, length, terms, (SELECT is_apart FROM ${divisions} AS own
      WHERE own.tenant = $1 AND own.division = text.division) AS "isApart"
    FROM ${rows} AS text WHERE tenant = $1 AND ref = ANY($2) AND ${isLive}`,
    [tenant, replaced],
  );
  return new Map(found.map((text) => [text.ref, textOf(text)]));
}

/** The live texts of a division from one number to another, in that order. */
export async function textsBetween(
  { rows }: TextTables,
  { transaction, tenant }: RowWriting,
  [key, division]: readonly [key: DivisionKey, division: number],
  first: number,
  last: number,
): Promise<readonly TextRow[]> {
  if (first > last) return [];
  const found = await transaction.query<Omit<StoredText, "scope" | "isApart">>(
    `SELECT ref, number, length, terms FROM ${rows}
    WHERE tenant = $1 AND division = $2 AND number BETWEEN $3 AND $4 ORDER BY number`,
    [tenant, division, first, last],
  );
  return found.map(({ terms, ...text }) => ({ ...text, key, terms: new Map(Object.entries(terms)) }));
}

/** Writes the rows of changes in place of those there are. */
export async function writeTextRows(
  { rows }: TextTables,
  { transaction, tenant, changes, replaced }: RowWriting,
  numbers: ReadonlyMap<Ref, number>,
  divisions: TextDivisions,
): Promise<void> {
  const replacing = `ON CONFLICT (tenant, ref) DO UPDATE SET version = excluded.version, scope = excluded.scope,
    fields = excluded.fields, division = excluded.division, number = excluded.number, length = excluded.length, terms = excluded.terms`;
  await transaction.query(
    `INSERT INTO ${rows} (tenant, ref, version, scope, fields, division, number, length, terms)
    SELECT $1, ref, version, scope, fields, division, number, length, terms FROM json_to_recordset($2)
      AS text (ref uuid, version bigint, scope text, fields jsonb, division integer, number integer, length integer, terms jsonb)
    ${replaced.length === 0 ? "" : replacing}`,
    [tenant, `[${changes.map((change) => rowOf(change, numbers.get(change.ref), divisions)).join(",")}]`],
  );
}

function textOf({ scope, isApart, terms, ...text }: StoredText): TextRow {
  return { ...text, key: divisionKey(scope, isApart), terms: new Map(Object.entries(terms)) };
}

/** Its JSON. Terms are written by hand: an object with names of any kind takes long to make. */
function rowOf(change: IndexChange, number: number | undefined, divisions: TextDivisions): string {
  const { ref, version } = change;
  if (change.type === "delete") return JSON.stringify({ ref, version, fields: {}, length: 0, terms: {} });
  const { scope, fields, terms } = change;
  const division = divisions.get(divisionKeyOf(change))?.division;
  const place = { division, number, length: lengthOf(terms) };
  const row = JSON.stringify({ ref, version, scope: formatScope(scope), fields, ...place });
  const written: string[] = [];
  for (const [term, frequency] of terms) written.push(`${JSON.stringify(term)}:${frequency}`);
  return `${row.slice(0, -1)},"terms":{${written.join(",")}}}`;
}
