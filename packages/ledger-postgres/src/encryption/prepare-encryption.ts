import type { TenantId } from "@loci/domain";
import { checkNotedKeys } from "@loci/ledger/sql";
import type { Connections } from "../connections.ts";
import { type Statement, statement } from "../statement.ts";
import { noteCurrentKey, readKeys } from "./database-keys.ts";
import type { LedgerKeys } from "./ledger-keys.ts";
import { sealColumns } from "./seal-columns.ts";

const tenantsUnderOthers: Statement<{ readonly tenant: TenantId }> = statement(
  "SELECT tenant FROM tenants WHERE columns_key IS DISTINCT FROM $1 ORDER BY tenant",
);

/**
 * Makes a database ready to be used with these keys. With another current key than the database has, that becomes the current
 * one for all servers, and every tenant comes under it, one after the other. Servers that have the key, too, go on meanwhile.
 *
 * @throws LociError `ENCRYPTION_KEY_MISSING` without a key that something may be sealed under; `INVALID_CONFIGURATION` for
 *   another key under its id
 */
export async function prepareEncryption(connections: Connections, keys: LedgerKeys): Promise<void> {
  const { noted, current } = await readKeys(connections);
  const { given } = keys;
  checkNotedKeys(noted, connections.where, given);
  if (given === undefined) return;
  if (current !== given.current) await noteCurrentKey(connections, given);
  // Also what a start has left that was interrupted.
  const others = await connections.read({ everyTenant: true }, tenantsUnderOthers, [given.current]);
  for (const { tenant } of others) await sealColumns(connections, keys, tenant);
}
