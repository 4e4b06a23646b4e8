import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { behaviourMetadata, behaviourReceipts, lociBehaviour } from "@loci/engine/conformance";
import { type Loci, type OpenedEngine, openEngine, openLoci, type PostgresLedger, tenantId } from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let parent: string;
let database: TestDatabase;
let choice: PostgresLedger;
let engine: OpenedEngine;
let installations = 0;

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "loci-postgres-ledger-"));
  database = await openTestDatabase();
  choice = await ledgerIn(database);
  engine = await openEngine({
    dataDirectory: join(parent, "behaviour"),
    metadataFields: behaviourMetadata,
    receipts: behaviourReceipts,
    ledger: choice,
  });
});
afterAll(async () => {
  await engine.close();
  await database.drop();
  await rm(parent, { recursive: true, force: true });
});

lociBehaviour(
  { describe, test },
  {
    name: "with a ledger in PostgreSQL",
    open: async () => {
      const installation = ++installations;
      return {
        as: async (principal) => engine.for({ ...principal, tenant: tenantId(`${installation}:${principal.tenant}`) }),
        destroy: async () => {},
      };
    },
  },
);

describe.skipIf(missingNativePostgres() !== undefined)("several processes' worth of Loci on one ledger", () => {
  test("each has indexes of its own, and finds what the others remember", async () => {
    const open = (name: string) => openLoci({ dataDirectory: join(parent, name), ledger: choice, tenant: "acme" });
    const scope = "user:alice";
    await using first = await open("first");
    await using second = await open("second");
    await first.memories.remember({ text: "The deploy window is on Thursday.", scope });
    const question = { query: "When is the deploy window?", scopes: [scope] } as const;
    expect((await second.recall(question)).hits).toHaveLength(1);
    const memory = await second.memories.remember({ text: "The orchard has forty trees.", scope });
    expect((await first.recall({ ...question, query: "How many trees are there?" })).hits[0]?.memory.id).toBe(
      memory.id,
    );

    // Its indexes have caught up with what the other wrote, which nobody told it in this process.
    await Promise.all([first.settled(), second.settled()]);
    await first.memories.forget(memory.id);
    expect(
      (await second.recall({ ...question, query: "How many trees are there?" })).hits.map(({ memory: { id } }) => id),
    ).not.toContain(memory.id);
  });

  test("what both remember at once is one memory", async () => {
    const open = (name: string) => openLoci({ dataDirectory: join(parent, name), ledger: choice, tenant: "equal" });
    const scope = "user:alice";
    await using first = await open("equal-first");
    await using second = await open("equal-second");
    const texts = Array.from({ length: 10 }, (_, number) => `The orchard has tree ${number}.`);
    const remembered = await Promise.all(
      texts.flatMap((text) => [first, second, first].map((loci) => loci.memories.remember({ text, scope }))),
    );
    expect(new Set(remembered.map(({ id }) => id)).size).toBe(texts.length);
    const { memories } = await second.memories.list({ scopes: [scope] });
    expect(memories.map(({ text, version }) => `${text} ${version}`).toSorted()).toEqual(
      texts.map((text) => `${text} 3`),
    );
  });

  test("they share indexes in PostgreSQL, which one of them at a time keeps up", async () => {
    const { connectionString } = database;
    const index = { kind: "pgvector", connectionString, schema: "shared_index", maxConnections: 4 } as const;
    const open = (name: string) =>
      openLoci({ dataDirectory: join(parent, name), ledger: choice, index, tenant: "sharing" });
    const scope = "user:alice";
    await using first = await open("sharing-first");
    const second = await open("sharing-second");
    const remembered = await Promise.all(
      [
        "deploys on Thursday",
        "likes Solarized",
        "sails at dawn",
        "fears moths",
        "bakes rye bread",
        "plays the oboe",
      ].map((habit, number) =>
        (number % 2 === 0 ? first : second).memories.remember({ text: `Alice ${habit}.`, scope }),
      ),
    );
    await Promise.all([first.settled(), second.settled()]);
    const expectFound = async (loci: Loci): Promise<void> => {
      for (const { id, text } of remembered)
        expect((await loci.recall({ query: text, scopes: [scope] })).hits[0]?.memory.id).toBe(id);
    };
    await expectFound(first);
    await expectFound(second);
    // Whichever kept the index up, the other one goes on.
    await second.close();
    remembered.push(await first.memories.remember({ text: "Alice paints the fence green.", scope }));
    await first.settled();
    await expectFound(first);
  });

  test("two that open fresh ones at the same instant choose one owner for the indexes", async () => {
    for (let round = 1; round <= 3; round++) {
      const schema = `fresh_${round}`;
      const index = { kind: "pgvector", connectionString: database.connectionString, schema } as const;
      const opened = await Promise.all(
        ["first", "second", "third"].map((name) =>
          openLoci({
            dataDirectory: join(parent, `fresh-${round}-${name}`),
            ledger: { ...choice, schema: `ledger_${round}`, maxConnections: 3 },
            index: { ...index, maxConnections: 3 },
            tenant: "fresh",
          }),
        ),
      );
      for (const loci of opened)
        expect((await loci.recall({ query: "anything", scopes: ["global"] })).hits).toEqual([]);
      await Promise.all(opened.map((loci) => loci.close()));
    }
  });

  test("it goes on where it stopped, with files beside it", async () => {
    const dataDirectory = join(parent, "embedded");
    const open = () => openLoci({ dataDirectory, ledger: choice, index: "embedded", tenant: "embedded" });
    const scope = "user:alice";
    await using stopped = await open();
    await stopped.memories.remember({ text: "The theme is Solarized.", scope });
    await stopped.settled();
    await stopped.close();
    await using other = await openLoci({ dataDirectory: join(parent, "other"), ledger: choice, tenant: "embedded" });
    await other.memories.remember({ text: "The font is Iosevka.", scope });
    await using again = await open();
    await again.settled();
    expect((await again.recall({ query: "theme font", scopes: [scope] })).hits).toHaveLength(2);
  });
});

/** The superuser owns the tables here; the role that serves is no more than it must be. */
async function ledgerIn({ connectionString, kind, maxConnections, execute }: TestDatabase): Promise<PostgresLedger> {
  const role = `service_${randomUUID().slice(0, 8)}`;
  await execute(`CREATE ROLE ${role}`);
  return {
    kind: "postgres",
    connectionString,
    ownerConnectionString: connectionString,
    role,
    maxConnections: Math.min(maxConnections, 10),
    listen: kind === "native",
  };
}
