import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CachedEmbedder, openLocalEmbedder } from "@loci/embedding";
import { behaviourMetadata, behaviourReceipts, indexAgreement, lociBehaviour } from "@loci/engine/conformance";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { type IndexChoice, type OpenedEngine, openEngine, openLoci, type PgvectorIndex, tenantId } from "@loci/loci";
import { openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openIndexes } from "../src/indexes/open-indexes.ts";

let parent: string;
let behaviourDatabase: TestDatabase;
/** For what opens and closes its own, one after the other: PGlite takes one connection, and the engine has it. */
let database: TestDatabase;
let engine: OpenedEngine;
let installations = 0;

function index(schema: string, { connectionString, maxConnections } = database): PgvectorIndex {
  return { kind: "pgvector", connectionString, schema, maxConnections: Math.min(maxConnections, 8) };
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-pgvector-"));
  [behaviourDatabase, database] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  engine = await openEngine({
    dataDirectory: join(parent, "behaviour"),
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    index: index("behaviour", behaviourDatabase),
  });
});
afterAll(async () => {
  await engine.close();
  await behaviourDatabase.drop();
  await database.drop();
  await rm(parent, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "on PostgreSQL",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);

let agreements = 0;
indexAgreement(
  { describe, test },
  {
    name: "PostgreSQL",
    open: async () => {
      const directory = await mkdtemp(join(parent, "agreement-"));
      const ledger = await openSqliteLedger({ directory });
      const indexes = await openIndexes(index(`agreement_${++agreements}`), {
        directory,
        ledger,
        reportProblem: () => undefined,
      });
      const embedder = new CachedEmbedder({ embedder: await openLocalEmbedder() });
      return {
        ledger,
        vectorStore: indexes.vectorStore,
        textIndex: indexes.textIndex,
        embedder,
        destroy: async () => {
          await indexes.close();
          await embedder.close();
          await ledger.close();
        },
      };
    },
  },
);

describe("a schema of PostgreSQL", () => {
  const words = ["ledger", "deploy", "billing", "cache", "Thursday", "PostgreSQL", "invoice", "latency"];
  const evaluationTime = 1_800_000_000_000;

  async function answers(dataDirectory: string, choice: IndexChoice): Promise<readonly unknown[]> {
    await using loci = await openLoci({ tenant: "local", dataDirectory, index: choice });
    await loci.settled();
    const queries = words.map((word) => `What about the ${word}?`);
    const results = await Promise.all(
      queries.map((query) => loci.recall({ query, scopes: ["user:a"], evaluationTime })),
    );
    return results.map(({ hits }) => hits);
  }

  test("gives the same answers as memory, and belongs to the ledger that was there first", async () => {
    const dataDirectory = join(parent, "data");
    {
      await using loci = await openLoci({ tenant: "local", dataDirectory, index: index("agreement") });
      await loci.memories.rememberMany(
        Array.from({ length: 300 }, (_, number) => ({
          text: `Note ${number}: the ${words[number % 8]} comes before the ${words[(number * 5) % 7]} in case ${number % 40}.`,
          scope: number % 3 === 0 ? ("user:b" as const) : ("user:a" as const),
          createdAt: 1_790_000_000_000 + number * 1000,
        })),
      );
      const { memories } = await loci.memories.list({ scopes: ["user:a"], pageSize: 20 });
      for (const { id } of memories) await loci.memories.forget(id);
    }
    const expected = await answers(dataDirectory, "memory");
    expect(expected.every((hits) => Array.isArray(hits) && hits.length > 0)).toBe(true);
    expect(await answers(dataDirectory, index("agreement"))).toEqual(expected);

    // As an older Loci left it, whose words had another form: they are filled anew from the ledger. Vectors stay, with fields by name.
    const schema = '"agreement"';
    await database.execute(`UPDATE ${schema}.schema_version SET version = 1`);
    await database.execute(`ALTER TABLE ${schema}.text_postings RENAME COLUMN numbers TO ref`);
    await database.execute(`ALTER TABLE ${schema}.vectors_1 RENAME COLUMN field_values TO fields`);
    await database.execute(`UPDATE ${schema}.vectors_1 SET fields = '{"category": "fact"}', is_apart = NULL`);
    expect(await answers(dataDirectory, index("agreement"))).toEqual(expected);

    const stranger = openLoci({ tenant: "local", dataDirectory: join(parent, "other"), index: index("agreement") });
    await expect(stranger).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
  });
});
