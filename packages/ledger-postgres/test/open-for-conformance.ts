import type { OpenLedger } from "@loci/ledger/conformance";
import type { PostgresKind } from "@loci/test-postgres";
import { openLedgerDatabase } from "./open-database.ts";

/** Opens ledgers in databases of their own, as the suite asks for them. */
export function openIn(kind: PostgresKind): OpenLedger {
  return async (clock) => {
    const database = await openLedgerDatabase(kind);
    const ledger = await database.open({ clock });
    let current = ledger;
    return {
      ledger,
      reopen: async () => {
        current = await database.open({ clock, ownerConnectionString: undefined });
        return current;
      },
      destroy: async () => {
        await current.close();
        await database.drop();
      },
    };
  };
}
