import { formatScope, type ScopeText, type TenantId } from "@loci/domain";
import type { IndexUpsert } from "@loci/store";
import type { Transaction } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";
import { isSetApart } from "../set-apart.ts";
import { emptyTextDivision, type TextDivision } from "./text-segments.ts";

/** What names a division: a scope, and whether it is of the texts that lie apart there. */
export type DivisionKey = `${"apart" | "others"} ${ScopeText}`;

/**
 * The divisions of a tenant as its transaction leaves them, also those that a text asks for the first time. Only one writes at a
 * time: it holds the checkpoint's row.
 */
export type TextDivisions = Map<DivisionKey, TextDivision>;

interface DivisionRow {
  readonly scope: ScopeText;
  readonly isApart: boolean;
  readonly division: number;
  readonly last: number;
  readonly paged: number;
  readonly tail: number;
  readonly segments: readonly number[];
}

export function divisionKey(scope: ScopeText, isApart: boolean): DivisionKey {
  return `${isApart ? "apart" : "others"} ${scope}`;
}

export function divisionKeyOf({ scope, fields }: Pick<IndexUpsert, "scope" | "fields">): DivisionKey {
  return divisionKey(formatScope(scope), isSetApart(fields));
}

export async function readTextDivisions(
  { divisions: table }: TextTables,
  transaction: Transaction,
  tenant: TenantId,
  keys: ReadonlySet<DivisionKey>,
): Promise<TextDivisions> {
  const scopes = new Set([...keys].map((key) => partsOf(key).scope));
  const [row] = await transaction.query<{ last: number; known: readonly DivisionRow[] }>(
    `SELECT coalesce((SELECT max(division) FROM ${table} WHERE tenant = $1), 0) AS last,
      (SELECT coalesce(json_agg(own), '[]'::json) FROM (SELECT scope, is_apart AS "isApart", division, last_number AS last,
        paged_through AS paged, tail_length AS tail, segments
        FROM ${table} WHERE tenant = $1 AND scope = ANY($2)) AS own) AS known`,
    [tenant, [...scopes]],
  );
  const { last: lastDivision, known } = row ?? { last: 0, known: [] };
  const found: TextDivisions = new Map();
  for (const { scope, isApart, division, last, paged, tail, segments } of known) {
    const state = { division, lastNumber: last, pagedThrough: paged, tailLength: tail, segments };
    found.set(divisionKey(scope, isApart), state);
  }
  let made = lastDivision;
  for (const key of keys) if (!found.has(key)) found.set(key, { ...emptyTextDivision, division: ++made });
  return found;
}

export async function writeTextDivisions(
  { divisions: table }: TextTables,
  transaction: Transaction,
  tenant: TenantId,
  divisions: ReadonlyMap<DivisionKey, TextDivision>,
): Promise<void> {
  const rows = [...divisions].map(([key, state]): DivisionRow => {
    const { division, lastNumber, pagedThrough, tailLength, segments } = state;
    return { ...partsOf(key), division, last: lastNumber, paged: pagedThrough, tail: tailLength, segments };
  });
  await transaction.query(
    `INSERT INTO ${table} (tenant, scope, is_apart, division, last_number, paged_through, tail_length, segments)
    SELECT $1, scope, "isApart", division, last, paged, tail, segments FROM json_to_recordset($2) AS own
      (scope text, "isApart" boolean, division integer, last integer, paged integer, tail integer, segments integer[])
    ON CONFLICT (tenant, scope, is_apart) DO UPDATE SET last_number = excluded.last_number,
      paged_through = excluded.paged_through, tail_length = excluded.tail_length, segments = excluded.segments`,
    [tenant, JSON.stringify(rows)],
  );
}

function partsOf(key: DivisionKey): { readonly scope: ScopeText; readonly isApart: boolean } {
  const space = key.indexOf(" ");
  return { scope: key.slice(space + 1) as ScopeText, isApart: key.startsWith("apart ") };
}
