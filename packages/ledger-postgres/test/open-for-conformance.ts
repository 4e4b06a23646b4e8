import type { OpenLedger } from "@loci/ledger/conformance";
import type { PostgresKind } from "@loci/test-postgres";
import type { PostgresLedgerOptions } from "../src/index.ts";
import { openLedgerDatabase } from "./open-database.ts";
import { plantEntries } from "./plant-entries.ts";

/** Opens ledgers in databases of their own, as the suite asks for them. */
export function openIn(kind: PostgresKind, options: Pick<PostgresLedgerOptions, "encryption"> = {}): OpenLedger {
  return async (clock) => {
    const database = await openLedgerDatabase(kind);
    const ledger = await database.open({ ...options, clock });
    let current = ledger;
    return {
      ledger,
      reopen: async () => {
        current = await database.open({ ...options, clock, ownerConnectionString: undefined });
        return current;
      },
      plant: (tenant, entries) => plantEntries(database.superuser, tenant, entries),
      destroy: async () => {
        await current.close();
        await database.drop();
      },
    };
  };
}
