import type { CallOptions, TenantId } from "@loci/domain";
import type { RowsByKey } from "@loci/ledger";
import { keyIdCharacters, SealedRowCounts, sealedTables } from "@loci/ledger/sql";
import type { Connections } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import { beginningOf, pageOf, placeOf } from "./sealed-rows.ts";

const rowsAtOnce = 1_000;

const allTenants: Statement<{ readonly tenant: TenantId }> = statement("SELECT tenant FROM tenants ORDER BY tenant");

const pages = sealedTables.map((table) => ({
  table,
  page: pageOf(
    table,
    table.fields.map((field) => `left(${field}, ${keyIdCharacters}) AS ${field}`),
    rowsAtOnce,
  ),
}));

/** Counts rows with texts by the key that they are sealed under. Reads all of them, and little of each. */
export async function countSealedRows(connections: Connections, call: CallOptions | undefined): Promise<RowsByKey> {
  const counts = new SealedRowCounts();
  for (const { tenant } of await connections.read({ everyTenant: true }, allTenants, [], call))
    for (const { table, page } of pages) {
      let place = beginningOf(table);
      for (;;) {
        const rows = await connections.readAlone(tenant, page, [tenant, ...place], call);
        for (const row of rows) counts.add(table, row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < rowsAtOnce) break;
        place = placeOf(table, last);
      }
    }
  return counts.rows;
}
