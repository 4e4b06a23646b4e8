import type { CallOptions, TenantId } from "@loci/domain";
import type { SealedColumns } from "@loci/ledger/sql";
import type { Connections } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import type { LedgerKeys, TenantKey } from "./ledger-keys.ts";

/** A row that was found, or one that says only under which key the tenant is. */
export type LookedUp<Row> = Row & { readonly columns_key: TenantKey; readonly place: number | null };

/**
 * A statement that looks up words, which also gives the key that the columns of its tenant are under at that moment: by words
 * under another one nothing would be found. Of a tenant with nothing it gives no row.
 */
export function lookUp<Row>(text: string): Statement<LookedUp<Row>> {
  return statement(
    `SELECT t.columns_key, found.* FROM tenants AS t
       LEFT JOIN (SELECT row_number() OVER () AS place, looked_up.* FROM (${text}) AS looked_up) AS found ON true
       WHERE t.tenant = $1 ORDER BY found.place`,
  );
}

/** What words are looked up with. */
export interface LookUpParts {
  readonly connections: Connections;
  readonly keys: LedgerKeys;
}

/** What was found, with what its words stand in columns by. */
export interface FoundByWords<Row> {
  readonly rows: readonly Row[];
  readonly columns: SealedColumns;
}

/**
 * Looks up words, again where the tenant has come under another key since it was seen last.
 *
 * @param valuesOf the values of the statement, with its words as they stand in columns
 * @throws LociError `ENCRYPTION_KEY_MISSING` when it is under a key that was not given here
 */
export async function findByWords<Row>(
  { connections, keys }: LookUpParts,
  tenant: TenantId,
  wanted: Statement<LookedUp<Row>>,
  valuesOf: (columns: SealedColumns) => readonly unknown[],
  call?: CallOptions,
): Promise<FoundByWords<Row>> {
  for (;;) {
    const key = keys.seen(tenant);
    const { columns } = keys.under(key);
    const rows = await connections.read({ tenant }, wanted, valuesOf(columns), call);
    const [first] = rows;
    if (first === undefined) return { rows: [], columns };
    if (first.columns_key === key) return { rows: rows.filter(({ place }) => place !== null), columns };
    keys.see(tenant, first.columns_key);
  }
}
