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

  function open(name: string): Promise<LocalLoci> {
    const { connectionString } = database;
    const ledger = { kind: "postgres", connectionString, ownerConnectionString: connectionString, role } as const;
    const index = { kind: "pgvector", connectionString } as const;
    return openLoci({ tenant: "acme", dataDirectory: join(parent, name), ledger, index });
  }

  async function verify(loci: LocalLoci): Promise<{ readonly rows: number; readonly milliseconds: number }> {
    const start = performance.now();
    const { counts, findings } = await loci.maintenance.verify();
    expect(findings).toEqual([]);
    return { rows: counts["rows"] ?? 0, milliseconds: performance.now() - start };
  }

  test("verify one after the other, without waiting for the leases of one that is idle", async () => {
    await using first = await open("first");
    await using second = await open("second");
    const texts = Array.from({ length: count }, (_, number) => `Note ${number} about tea`);
    await first.memories.rememberMany(texts.map((text) => ({ text, scope: "user:ada" })));
    await first.settled();
    const figures: { readonly rows: number; readonly milliseconds: number }[] = [];
    for (const loci of [first, second, first, second]) {
      // oxlint-disable-next-line no-await-in-loop -- Each takes the lease of the one before.
      figures.push(await verify(loci));
    }
    for (const { rows, milliseconds } of figures) {
      // The words and the vectors of each.
      expect(rows).toBe(2 * count);
      // A lease that is not given back lasts 5 s.
      expect(milliseconds).toBeLessThan(2_500);
    }
    expect(Math.min(...figures.slice(1).map(({ milliseconds }) => milliseconds))).toBeLessThan(1_000);
  });
});
