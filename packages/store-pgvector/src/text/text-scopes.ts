import type { ScopeText, TenantId } from "@loci/domain";
import type { Transaction } from "../postgres/transaction.ts";
import type { TextTables } from "../schema/tables.ts";
import { emptyTextScope, type TextScope } from "./text-segments.ts";

/** The scopes of a tenant as its transaction leaves them. Only one writes at a time: it holds the checkpoint's row. */
export type TextScopes = Map<ScopeText, TextScope>;

interface ScopeRow {
  readonly scope: ScopeText;
  readonly last: number;
  readonly paged: number;
  readonly tail: number;
  readonly segments: readonly number[];
}

export async function readTextScopes(
  { scopes: table }: TextTables,
  transaction: Transaction,
  tenant: TenantId,
  scopes: ReadonlySet<ScopeText>,
): Promise<TextScopes> {
  const found: TextScopes = new Map();
  for (const scope of scopes) found.set(scope, emptyTextScope);
  const rows = await transaction.query<ScopeRow>(
    `SELECT scope, last_number AS last, paged_through AS paged, tail_length AS tail, segments
    FROM ${table} WHERE tenant = $1 AND scope = ANY($2)`,
    [tenant, [...scopes]],
  );
  for (const { scope, last, paged, tail, segments } of rows)
    found.set(scope, { lastNumber: last, pagedThrough: paged, tailLength: tail, segments });
  return found;
}

export async function writeTextScopes(
  { scopes: table }: TextTables,
  transaction: Transaction,
  tenant: TenantId,
  scopes: ReadonlyMap<ScopeText, TextScope>,
): Promise<void> {
  const rows = [...scopes].map(([scope, { lastNumber, pagedThrough, tailLength, segments }]) => {
    return { scope, last: lastNumber, paged: pagedThrough, tail: tailLength, segments };
  });
  await transaction.query(
    `INSERT INTO ${table} (tenant, scope, last_number, paged_through, tail_length, segments)
    SELECT $1, scope, last, paged, tail, segments
    FROM json_to_recordset($2) AS own (scope text, last integer, paged integer, tail integer, segments integer[])
    ON CONFLICT (tenant, scope) DO UPDATE SET last_number = excluded.last_number,
      paged_through = excluded.paged_through, tail_length = excluded.tail_length, segments = excluded.segments`,
    [tenant, JSON.stringify(rows)],
  );
}
