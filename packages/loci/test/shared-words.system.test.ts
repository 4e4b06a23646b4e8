import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Loci, openLoci, type PineconeIndex, type PostgresLedger } from "@loci/loci";
import { type PineconeEmulator, startPineconeEmulator } from "@loci/pinecone-emulator";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let parent: string;
let database: TestDatabase;
let emulator: PineconeEmulator;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-shared-words-"));
  database = await openTestDatabase();
  emulator = await startPineconeEmulator();
  // Who serves may make schemas, and is no superuser.
  await database.execute("CREATE ROLE words_service LOGIN PASSWORD 'words'");
  await database.execute("GRANT ALL ON SCHEMA public TO words_service");
  await database.execute(
    `DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO words_service', current_database()); END $$`,
  );
});
afterAll(async () => {
  await emulator[Symbol.asyncDispose]();
  await database.drop();
  await rm(parent, { recursive: true, force: true });
});

function serviceOf({ connectionString }: TestDatabase): string {
  const url = new URL(connectionString);
  url.username = "words_service";
  url.password = "words";
  return url.href;
}

function ledger(schema: string): PostgresLedger {
  const connectionString = serviceOf(database);
  return { kind: "postgres", connectionString, ownerConnectionString: connectionString, schema, maxConnections: 4 };
}

function pinecone(): PineconeIndex {
  const { apiKey, controllerUrl } = emulator;
  return { kind: "pinecone", apiKey, controllerUrl, maxRetries: 1, firstRetryDelay: 1 };
}

async function schemas(): Promise<readonly unknown[]> {
  const rows = await database.execute("SELECT nspname FROM pg_namespace WHERE nspname ~ '_words$'");
  return rows.map(({ nspname }) => nspname);
}

/** Words tell, whatever the vectors say: where the service does not answer, they alone find it. */
async function foundByWords(loci: Loci, query: string): Promise<readonly string[]> {
  emulator.failWith(() => ({ status: 503 }));
  try {
    const { hits } = await loci.recall({ query, scopes: ["user:alice"] });
    return hits.map(({ memory: { text } }) => text);
  } finally {
    emulator.failWith(undefined);
  }
}

describe.skipIf(missingNativePostgres() !== undefined)(
  "words beside a ledger in PostgreSQL, vectors on Pinecone",
  () => {
    const scope = "user:alice";

    test("are the servers' common ones: none keeps anything that matters", async () => {
      const open = (name: string, tenant = "acme"): Promise<Loci> =>
        openLoci({ dataDirectory: join(parent, name), ledger: ledger("shared"), index: pinecone(), tenant });
      await using first = await open("first");
      await using second = await open("second");
      await first.memories.remember({ text: "The orchard has forty quince trees.", scope });
      await second.memories.remember({ text: "The marmalade is made in October.", scope });
      await Promise.all([first.settled(), second.settled()]);
      for (const loci of [first, second])
        expect(await foundByWords(loci, "quince trees orchard")).toContain("The orchard has forty quince trees.");
      expect(await schemas()).toEqual(["shared_words"]);
      expect(existsSync(join(parent, "first", "index-pinecone-text"))).toBe(false);
      // A server that comes with an empty directory finds what the others know,.
      await using third = await open("third");
      expect(await foundByWords(third, "marmalade October")).toContain("The marmalade is made in October.");
      await using stranger = await open("stranger", "other");
      expect(await foundByWords(stranger, "quince trees orchard")).toEqual([]);
    });

    test("take the place of the files of a server that had its own", async () => {
      const dataDirectory = join(parent, "former");
      await using loci = await openLoci({ dataDirectory, index: pinecone(), tenant: "acme" });
      await loci.memories.remember({ text: "The kiln is fired on Mondays.", scope });
      await loci.settled();
      await loci.close();
      const files = join(dataDirectory, "index-pinecone-text");
      expect(existsSync(files)).toBe(true);
      const served = join(parent, "served");
      await cp(files, join(served, "index-pinecone-text"), { recursive: true });
      const options = { dataDirectory: served, ledger: ledger("former"), index: pinecone(), tenant: "acme" };
      await using moved = await openLoci(options);
      expect(existsSync(join(served, "index-pinecone-text"))).toBe(false);
      await moved.memories.remember({ text: "The kiln is fired on Fridays.", scope });
      await moved.settled();
      expect(await foundByWords(moved, "kiln fired")).toEqual(["The kiln is fired on Fridays."]);
    });

    test("go with the indexes when these are moved away, and nothing is lost", async () => {
      const options = { dataDirectory: join(parent, "moving"), ledger: ledger("moving"), tenant: "acme" };
      await using loci = await openLoci({ ...options, index: pinecone() });
      await loci.memories.remember({ text: "The ferry leaves at seven.", scope });
      await loci.settled();
      expect(await schemas()).toContain("moving_words");
      await loci.maintenance.reindex({ to: "memory", dropOld: true });
      expect(await schemas()).not.toContain("moving_words");
      const { hits } = await loci.recall({ query: "When does the ferry leave?", scopes: [scope] });
      expect(hits.map(({ memory: { text } }) => text)).toEqual(["The ferry leaves at seven."]);
    });

    test("need no pgvector, and a schema that the role may use", async () => {
      await database.execute("CREATE ROLE words_guest LOGIN PASSWORD 'words'");
      await database.execute("CREATE SCHEMA guest AUTHORIZATION words_guest");
      const url = new URL(serviceOf(database));
      url.username = "words_guest";
      const connectionString = url.href;
      const guest = {
        kind: "postgres",
        connectionString,
        ownerConnectionString: connectionString,
        schema: "guest",
      } as const;
      const open = () =>
        openLoci({ dataDirectory: join(parent, "guest"), ledger: guest, index: pinecone(), tenant: "acme" });
      await expect(open()).rejects.toMatchObject({
        reason: "INVALID_CONFIGURATION",
        advice: expect.stringContaining('CREATE SCHEMA "guest_words" AUTHORIZATION "words_guest"'),
      });
      await database.execute("CREATE SCHEMA guest_words AUTHORIZATION words_guest");
      await using loci = await open();
      await loci.memories.remember({ text: "The guest room has a blue door.", scope });
      await loci.settled();
      expect(await foundByWords(loci, "blue door")).toEqual(["The guest room has a blue door."]);
      expect(await database.execute("SELECT extname FROM pg_extension WHERE extname = 'vector'")).toEqual([]);
    });
  },
);
