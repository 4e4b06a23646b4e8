import { ledgerConformance } from "@loci/ledger/conformance";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, describe, test } from "vitest";
import { openIn } from "./open-for-conformance.ts";

// Required where CI is set. Elsewhere PGlite runs the same suite, in pglite-conformance.system.test.ts.
const isMissing = missingNativePostgres() !== undefined;

ledgerConformance(
  { describe: isMissing ? describe.skip : describe, test, afterAll },
  { name: "PostgreSQL", open: openIn("native"), isShared: true },
);
