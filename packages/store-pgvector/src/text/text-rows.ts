import { formatScope, type Ref, type ScopeText } from "@loci/domain";
import type { IndexChange, TermFrequencies } from "@loci/store";
import type { RowWriting } from "../row-store.ts";
import type { TextTables } from "../schema/tables.ts";
import { storedFields } from "../stored-fields.ts";
import type { NumberedText } from "./gather-postings.ts";
import { storedWords, termsOfWords } from "./stored-words.ts";
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
  readonly words: string;
}

/** The live texts among those that are to be replaced. */
export async function formerTexts(
  { rows, divisions, isLive }: TextTables,
  { transaction, tenant, replaced }: RowWriting,
): Promise<ReadonlyMap<Ref, TextRow>> {
  if (replaced.length === 0) return new Map();
  const found = await transaction.query<StoredText>(
    `SELECT ref, scope, number, length, words, (SELECT is_apart FROM ${divisions} AS own
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
    `SELECT ref, number, length, words FROM ${rows}
    WHERE tenant = $1 AND division = $2 AND number BETWEEN $3 AND $4 ORDER BY number`,
    [tenant, division, first, last],
  );
  return found.map(({ words, ...text }) => ({ ...text, key, terms: termsOfWords(words) }));
}

/** Writes the rows of changes in place of those there are. */
export async function writeTextRows(
  { rows }: TextTables,
  { transaction, tenant, changes, replaced }: RowWriting,
  numbers: ReadonlyMap<Ref, number>,
  divisions: TextDivisions,
): Promise<void> {
  const replacing = `ON CONFLICT (tenant, ref) DO UPDATE SET version = excluded.version, scope = excluded.scope,
    field_values = excluded.field_values, division = excluded.division, number = excluded.number, length = excluded.length, words = excluded.words`;
  await transaction.query(
    `INSERT INTO ${rows} (tenant, ref, version, scope, field_values, division, number, length, words)
    SELECT $1, ref, version, scope, fields, division, number, length, words FROM json_to_recordset($2)
      AS text (ref uuid, version bigint, scope text, fields jsonb, division integer, number integer, length integer, words text)
    ${replaced.length === 0 ? "" : replacing}`,
    [tenant, JSON.stringify(changes.map((change) => rowOf(change, numbers.get(change.ref), divisions)))],
  );
}

function textOf({ scope, isApart, words, ...text }: StoredText): TextRow {
  return { ...text, key: divisionKey(scope, isApart), terms: termsOfWords(words) };
}

function rowOf(change: IndexChange, number: number | undefined, divisions: TextDivisions): object {
  const { ref, version } = change;
  if (change.type === "delete") return { ref, version, fields: [], length: 0, words: "" };
  const { scope, fields, terms } = change;
  const division = divisions.get(divisionKeyOf(change))?.division;
  const place = { division, number, length: lengthOf(terms) };
  return { ref, version, scope: formatScope(scope), fields: storedFields(fields), ...place, words: storedWords(terms) };
}
