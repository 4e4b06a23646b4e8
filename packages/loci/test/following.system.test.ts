import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  type Loci,
  type OpenedEngine,
  openEngine,
  type OpenEngineOptions,
  type PgvectorIndex,
  type PostgresLedger,
  roles,
  tenantId,
} from "@loci/loci";
import { missingNativePostgres, openTestDatabase, type TestDatabase } from "@loci/test-postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceLedger } from "./service-ledger.ts";
import { WordEmbedder } from "./word-embedder.ts";

/** Two of what two servers would have: engines with a data directory each, on one ledger and one pgvector. */
describe.skipIf(missingNativePostgres() !== undefined)("servers that share a ledger", () => {
  let parent: string;
  let database: TestDatabase;
  let ledger: PostgresLedger;
  let index: PgvectorIndex;
  const scope = "user:alice";

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "loci-following-"));
    database = await openTestDatabase("native");
    const { connectionString } = database;
    ledger = await serviceLedger(database, 5);
    index = { kind: "pgvector", connectionString, maxConnections: 5 };
  });
  afterAll(async () => {
    await database.drop();
    await rm(parent, { recursive: true, force: true });
  });

  function open(name: string, schema: string, options: OpenEngineOptions = {}): Promise<OpenedEngine> {
    return openEngine({
      dataDirectory: join(parent, schema, name),
      ledger: { ...ledger, schema: `ledger_${schema}` },
      index: { ...index, schema: `index_${schema}` },
      ...options,
    });
  }

  function lociOf(engine: OpenedEngine): Loci {
    return engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
  }

  /** Writes and recalls until it is stopped; any error or missing memory rejects. */
  function load(loci: Loci, name: string): { readonly written: string[]; stop(): Promise<void> } {
    const written: string[] = [];
    const state = { isRunning: true };
    const running = (async () => {
      for (let number = 0; state.isRunning; number++) {
        const text = `The ${name} of crate ${number} is a zebra.`;
        const { id } = await loci.memories.remember({ text, scope });
        written.push(id);
        const { hits } = await loci.recall({ query: text, scopes: [scope] });
        expect(hits.map(({ memory }) => memory.id)).toContain(id);
        await setTimeout(20);
      }
    })();
    // Told when it is stopped.
    running.catch(() => undefined);
    return {
      written,
      stop: async () => {
        state.isRunning = false;
        await running;
      },
    };
  }

  test("all of them go over to another embedder when one of them does, and no call notices", async () => {
    const embedders = [0, 1].map(() => ({
      small: new WordEmbedder("small", 16),
      large: new WordEmbedder("large", 64),
    }));
    const [hers, his] = await Promise.all(
      embedders.map(({ small, large }, number) =>
        open(`server-${number}`, "embedder", {
          embedder: "small",
          embedders: { small: async () => small, large: async () => large },
        }),
      ),
    );
    if (hers === undefined || his === undefined) throw new Error("no engines");
    const [first, second] = [lociOf(hers), lociOf(his)];
    await first.memories.rememberMany(
      Array.from({ length: 200 }, (_, number) => ({ text: `Note ${number} on the ledger and billing.`, scope })),
    );
    const loads = [load(first, "owner"), load(second, "label")];
    const report = await first.maintenance.reindex({ embedder: "large", dropOld: true });
    // The former collection is only dropped when the other server has left it.
    expect(report.counts["dropped"]).toBe(1);
    expect(report.notes).toEqual([]);
    await setTimeout(200);
    for (const { stop } of loads) await stop();
    const queries = embedders.map(({ small, large }) => [small.queries, large.queries] as const);
    for (const [number, loci] of [first, second].entries()) {
      await loci.settled();
      // Of its own, as the servers share a cache.
      const query = `What do the notes say on billing and the ledger of server ${number}?`;
      expect((await loci.recall({ query, scopes: [scope] })).hits.length).toBeGreaterThan(0);
    }
    for (const [number, { small, large }] of embedders.entries())
      expect([small.queries, large.queries > (queries[number]?.[1] ?? 0)]).toEqual([queries[number]?.[0], true]);

    // What either wrote meanwhile has a vector in the new space, and a row.
    const rows = 2 * (200 + loads.reduce((sum, { written }) => sum + written.length, 0));
    await expect
      .poll(async () => (await first.maintenance.verify().catch(() => undefined))?.counts)
      .toMatchObject({ rows, missing: 0, stale: 0, foreign: 0 });
    await Promise.all([hers.close(), his.close()]);
  }, 120_000);

  test("each builds indexes of its own when one moves to such, and leaves the shared ones to be dropped", async () => {
    const [hers, his] = await Promise.all(["server-0", "server-1"].map((name) => open(name, "place")));
    if (hers === undefined || his === undefined) throw new Error("no engines");
    const [first, second] = [lociOf(hers), lociOf(his)];
    const loads = [load(first, "owner"), load(second, "label")];
    const report = await first.maintenance.reindex({ to: "embedded", dropOld: true });
    expect([report.counts["dropped"], report.notes]).toEqual([1, []]);
    for (const { stop } of loads) await stop();
    const rows = 2 * loads.reduce((sum, { written }) => sum + written.length, 0);
    for (const [loci, engine] of [
      [first, hers],
      [second, his],
    ] as const) {
      const { counts } = await loci.maintenance.verify();
      expect(counts).toMatchObject({ rows, missing: 0, foreign: 0 });
      expect(existsSync(join(engine.dataDirectory, "index"))).toBe(true);
    }
    // The way back: the files of the one that followed go with it, those of the other by its own command.
    await second.maintenance.reindex({ to: "pgvector" });
    await expect.poll(() => existsSync(join(hers.dataDirectory, "index"))).toBe(false);
    expect((await second.maintenance.reindex({ dropOld: true })).counts["dropped"]).toBe(1);
    expect(existsSync(join(his.dataDirectory, "index"))).toBe(false);
    await Promise.all([hers.close(), his.close()]);
  }, 120_000);

  test("of two that move at once to different places one succeeds, and the other follows it", async () => {
    const engines = await Promise.all(["server-0", "server-1"].map((name) => open(name, "rivals")));
    const places = ["embedded", "memory"];
    const moves = await Promise.allSettled(
      engines.map((engine, number) => lociOf(engine).maintenance.reindex({ to: places[number] })),
    );
    const winner = moves.findIndex(({ status }) => status === "fulfilled");
    expect(moves[1 - winner]).toMatchObject({ status: "rejected", reason: { reason: "VERSION_CONFLICT" } });
    const loser = engines[1 - winner];
    if (loser === undefined) throw new Error("no loser");
    const there = async (): Promise<string | undefined> =>
      (await lociOf(loser).maintenance.reindex({ dryRun: true })).notes[0];
    await expect.poll(there).toContain(`in "${places[winner]}" with`);
    await Promise.all(engines.map((engine) => engine.close()));
  }, 120_000);

  test("one that lacks the embedder says so, and goes on with the indexes it has", async () => {
    const problems: string[] = [];
    const embedders = {
      small: async () => new WordEmbedder("small", 16),
      large: async () => new WordEmbedder("large", 64),
    };
    const hers = await open("server-0", "lacking", { embedder: "small", embedders });
    const his = await open("server-1", "lacking", {
      embedder: "small",
      embedders: { small: embedders.small },
      reportProblem: (error, activity) => problems.push(`${activity}: ${String(error)}`),
    });
    const [first, second] = [lociOf(hers), lociOf(his)];
    const { id } = await second.memories.remember({ text: "The deploy window is on Thursday.", scope });
    await first.maintenance.reindex({ embedder: "large" });
    await expect.poll(() => problems.join("\n")).toContain('There is no embedder "large"');
    expect(problems.join("\n")).toContain('following the indexes to "pgvector" with the embedder "large"');
    for (const loci of [first, second])
      expect((await loci.recall({ query: "deploy window", scopes: [scope] })).hits[0]?.memory.id).toBe(id);
    await Promise.all([hers.close(), his.close()]);
  }, 120_000);
});
