import type { Ledger } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { execute, type LedgerDatabase, openLedgerDatabase } from "./open-database.ts";
import { refNumber, sampleResource, tenant } from "./samples.ts";

/** What another server adds while a resource is removed: what was read of it is made of what was said in it. */
describe.skipIf(missingNativePostgres() !== undefined)("what was read of a resource goes with it", () => {
  let database: LedgerDatabase;
  let ledger: Ledger;

  beforeAll(async () => {
    database = await openLedgerDatabase("native");
    ledger = await database.open({ listen: false });
  });
  afterAll(async () => {
    await ledger.close();
    await database.drop();
  });

  /** What is left of a resource that is removed while another transaction adds to it, which ends once the removal waits for it. */
  async function leftAfter(number: number, remove: () => Promise<unknown>): Promise<readonly unknown[]> {
    const ref = refNumber(number);
    const adding = new Client({ connectionString: database.superuser });
    await adding.connect();
    try {
      await adding.query("BEGIN");
      await adding.query("SELECT 1 FROM loci.resources WHERE ref = $1 FOR SHARE", [ref]);
      const removing = remove();
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      await expect.poll(() => execute(database.superuser, waiting)).toHaveLength(1);
      const values = [tenant, ref, "words", 64, "outline", "state"];
      await adding.query("INSERT INTO loci.checkpoints VALUES ($1, $2, $3, $4, $5, $6)", values);
      await adding.query("COMMIT");
      await removing;
    } finally {
      await adding.end();
    }
    return ledger.checkpoints.outlines(tenant, { ref, reading: "words" });
  }

  async function write(number: number): Promise<void> {
    await ledger.commit({ ...bare, changes: [sampleResource(number)] });
  }
  const bare = { tenant, author: { subject: "local" }, scopePatterns: ["*"], expect: [], embeddings: [] };

  test("when it is purged", async () => {
    await write(1);
    const purge = (): Promise<unknown> => ledger.purge(tenant, { refs: [refNumber(1)] });
    expect(await leftAfter(1, purge)).toEqual([]);
  });

  test("when it is removed", async () => {
    await write(2);
    const { family } = sampleResource(2);
    const removed = { type: "resourceRemoved", family, kind: "removed", ref: refNumber(2), version: 2 } as const;
    const remove = (): Promise<unknown> => ledger.commit({ ...bare, changes: [removed] });
    expect(await leftAfter(2, remove)).toEqual([]);
  });
});
