import type { Ledger } from "@loci/ledger";
import { openPostgresLedger, type PostgresLedgerOptions } from "@loci/ledger-postgres";

/** Opens what the test that started this program wants opened. */
export function openTestLedger(): Promise<Ledger> {
  return openPostgresLedger(JSON.parse(process.env["LOCI_TEST_LEDGER"] ?? "") as PostgresLedgerOptions);
}
