import { ledgerConformance } from "@loci/ledger/conformance";
import { afterAll, describe, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { plantEntries } from "./plant-entries.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

ledgerConformance(
  { describe, test, afterAll },
  {
    name: "SQLite",
    open: async (clock) => {
      const { directory, remove } = temporaryDirectory();
      const ledger = await openSqliteLedger({ directory, clock });
      let current = ledger;
      return {
        ledger,
        reopen: async () => {
          current = await openSqliteLedger({ directory, clock });
          return current;
        },
        plant: async (tenant, entries) => plantEntries(directory, tenant, entries),
        destroy: async () => {
          await current.close();
          remove();
        },
      };
    },
  },
);
