import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalLoci, openLoci } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const count = 100;

describe.skipIf(missingNativePostgres() !== undefined)("two servers that share indexes in one PostgreSQL", () => {
  let parent: string;
  let database: TestDatabase;
  const role = `service_${randomUUID().slice(0, 8)}`;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "loci-verify-beside-"));
    database = await openTestDatabase("native");
    await database.execute(`CREATE ROLE ${role}`);
  });
  afterAll(async () => {
    await database.drop();
    await rm(parent, { recursive: true, force: true });
  });

  /** By a clock that stands still no lease ends by itself: who gets one that somebody held has been given it back. */
  const clock = (): number => 1_800_000_000_000;

  function open(name: string): Promise<LocalLoci> {
    const { connectionString } = database;
    const ledger = { kind: "postgres", connectionString, ownerConnectionString: connectionString, role } as const;
    const index = { kind: "pgvector", connectionString } as const;
    return openLoci({ tenant: "acme", dataDirectory: join(parent, name), ledger, index, clock });
  }

  test("verify one after the other, without waiting for the leases of one that is idle", async () => {
    await using first = await open("first");
    await using second = await open("second");
    const texts = Array.from({ length: count }, (_, number) => `Note ${number} about tea`);
    await first.memories.rememberMany(texts.map((text) => ({ text, scope: "user:ada" })));
    await first.settled();
    // Each takes the lease of the one before.
    for (const loci of [first, second, first, second]) {
      const { counts, findings } = await loci.maintenance.verify();
      expect(findings).toEqual([]);
      // The words and the vectors of each.
      expect(counts["rows"]).toBe(2 * count);
    }
  });
});
