import type { EncryptionKeys } from "@loci/encryption";
import { ledgerConformance } from "@loci/ledger/conformance";
import { afterAll, describe, test } from "vitest";
import { openSqliteLedger } from "../src/index.ts";
import { plantEntries } from "./plant-entries.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const encryption: EncryptionKeys = { current: "test", keys: { test: new Uint8Array(32).fill(1) } };

for (const [name, options] of [
  ["SQLite", {}],
  ["SQLite, encrypted", { encryption }],
] as const)
  ledgerConformance(
    { describe, test, afterAll },
    {
      name,
      open: async (clock) => {
        const { directory, remove } = temporaryDirectory();
        const ledger = await openSqliteLedger({ directory, clock, ...options });
        let current = ledger;
        return {
          ledger,
          reopen: async () => {
            current = await openSqliteLedger({ directory, clock, ...options });
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
