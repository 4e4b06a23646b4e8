import { ledgerConformance } from "@loci/ledger/conformance";
import { missingNativePostgres } from "@loci/test-postgres";
import { afterAll, describe, expect, test } from "vitest";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { openIn } from "./open-for-conformance.ts";
import { batchOf, refNumber, tenant } from "./samples.ts";

/** Where there is a native PostgreSQL, which runs the same suite, this one is the nightly run's. */
const isRun = missingNativePostgres() !== undefined || process.env["LOCI_PGLITE"] === "1";
const describeRun = isRun ? describe : describe.skip;

// One connection, and PostgreSQL two major versions later than the native one of the other tests.
ledgerConformance(
  { describe: describeRun, test, afterAll },
  { name: "PGlite", open: openIn("pglite"), isShared: true },
);

test("a ledger leaves no tenant set on the session it used", async () => {
  await using database = await openLedgerDatabase("pglite");
  const ledger = await database.open();
  await ledger.commit(batchOf([1]));
  await ledger.memories(tenant, [refNumber(1)]);
  await ledger.pending("projection");
  await expect(ledger.commit(batchOf([1]))).rejects.toThrow("version 1");
  await ledger.close();
  // PGlite has one session, which is the one that the ledger had.
  const [row] = await execute(
    database.superuser,
    "SELECT current_setting('loci.tenant') AS tenant, current_setting('loci.every_tenant') AS every_tenant, current_user AS role",
  );
  expect(row).toMatchObject({ tenant: "", every_tenant: "", role: expect.stringMatching(/^service_/) as string });
});
