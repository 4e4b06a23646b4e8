import { ledgerConformance } from "@loci/ledger/conformance";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, describe, test } from "vitest";
import { openIn } from "./open-for-conformance.ts";

ledgerConformance(
  { describe: missingNativePostgres() === undefined ? describe : describe.skip, test, afterAll },
  { name: "PostgreSQL", open: openIn("native") },
);
