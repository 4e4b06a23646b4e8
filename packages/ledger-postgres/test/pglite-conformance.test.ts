import { ledgerConformance } from "@loci/ledger/conformance";
import { afterAll, describe, test } from "vitest";
import { openIn } from "./open-for-conformance.ts";

// One connection, and PostgreSQL two major versions later than the native one of the other tests.
ledgerConformance({ describe, test, afterAll }, { name: "PGlite", open: openIn("pglite") });
