import type { EncryptionKeys } from "@loci/encryption";
import { ledgerConformance } from "@loci/ledger/conformance";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, describe, test } from "vitest";
import { openIn } from "./open-for-conformance.ts";

// Required where CI is set. Elsewhere PGlite runs the same suite, in pglite-conformance.system.test.ts.
const isMissing = missingNativePostgres() !== undefined;

const encryption: EncryptionKeys = { current: "test", keys: { test: new Uint8Array(32).fill(1) } };

for (const [name, options] of [
  ["PostgreSQL", {}],
  ["PostgreSQL, encrypted", { encryption }],
] as const)
  ledgerConformance(
    { describe: isMissing ? describe.skip : describe, test, afterAll },
    { name, open: openIn("native", options), isShared: true },
  );
