import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalLoci, openLoci, type RememberInput } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const scope = "user:ada";
const memories = Array.from({ length: 400 }, (_, number): RememberInput => {
  return { text: `Invoice ${number} of the harbour is due in case ${number % 40}.`, scope };
});

describe.skipIf(missingNativePostgres() !== undefined)("words in PostgreSQL whose pages are broken", () => {
  let directory: string;
  let database: TestDatabase;
  let loci: LocalLoci;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "loci-broken-pages-"));
    database = await openTestDatabase("native");
    const role = `service_${randomUUID().slice(0, 8)}`;
    await database.execute(`CREATE ROLE ${role}`);
    const { connectionString } = database;
    loci = await openLoci({
      tenant: "local",
      dataDirectory: directory,
      ledger: { kind: "postgres", connectionString, ownerConnectionString: connectionString, role },
      index: { kind: "pgvector", connectionString },
    });
    await loci.memories.rememberMany(memories);
    await loci.settled();
  });
  afterAll(async () => {
    await loci.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  async function found(): Promise<readonly string[]> {
    return (await loci.recall({ query: "harbour", scopes: [scope] })).hits.map(({ memory }) => memory.text);
  }

  test("are right at first", async () => {
    expect(await loci.maintenance.verify()).toMatchObject({
      findings: [],
      counts: { missing: 0, doubled: 0, foreign: 0 },
    });
  });

  test.each([
    [
      "that have lost words",
      "missing",
      "numbers = numbers[1:0], weights = weights[1:0], ends = array_fill(0, ARRAY[array_length(ends, 1)])",
    ],
    [
      "that have a word twice",
      "doubled",
      "numbers = numbers || numbers[array_length(numbers, 1)], weights = weights || weights[array_length(weights, 1)], ends[array_length(ends, 1)] = ends[array_length(ends, 1)] + 1",
    ],
    [
      "that have words of nobody",
      "foreign",
      "numbers = ARRAY(SELECT number + 1000 * 65536 FROM unnest(numbers) AS own (number))",
    ],
  ])("%s are found by verify and repaired", async (_, reason, change) => {
    const before = await found();
    expect(before.length).toBeGreaterThan(0);
    const page = "SELECT ctid FROM loci_indexes.text_postings WHERE part = 0 AND array_length(terms, 1) < 9 LIMIT 1";
    await database.execute(`UPDATE loci_indexes.text_postings SET ${change} WHERE ctid = (${page})`);
    const report = await loci.maintenance.verify();
    expect(report.counts[reason]).toBeGreaterThan(0);
    const repaired = await loci.maintenance.verify({ repair: true });
    expect(repaired.counts).toMatchObject({ remaining: 0, rebuilt: 1 });
    expect((await loci.maintenance.verify()).findings).toEqual([]);
    expect(await found()).toEqual(before);
  });
});
