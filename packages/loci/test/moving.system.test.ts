import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import type { Loci, MaintenanceProgress, Principal, RecallResult, RememberInput } from "@loci/loci";
import { openEngine, openLoci, type OpenLociOptions, type PgvectorIndex, roles, tenantId } from "@loci/loci";
import { openTestDatabase } from "@loci/test-postgres";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WordEmbedder } from "./word-embedder.ts";

let dataDirectory: string;
beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), "loci-moving-"));
});
afterEach(() => rm(dataDirectory, { recursive: true, force: true }));

const words = ["ledger", "deploy", "billing", "cache", "Thursday", "PostgreSQL", "invoice", "latency"];
const evaluationTime = 1_800_000_000_000;

type TestLoci = Loci;

function principalOf(tenant: string): Principal {
  return { tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] };
}

function open(options: Partial<OpenLociOptions> = {}): Promise<TestLoci> {
  return openLoci({ tenant: "local", dataDirectory, ...options });
}

function inputOf(number: number, scope: RememberInput["scope"] = "user:a"): RememberInput {
  return {
    text: `Note ${number}: the ${words[number % 8]} comes before the ${words[(number * 5) % 7]} in case ${number % 40}.`,
    scope,
    createdAt: 1_790_000_000_000 + number * 1000,
  };
}

async function fill(loci: TestLoci, count: number): Promise<void> {
  for (let start = 0; start < count; start += 500)
    await loci.memories.rememberMany(
      Array.from({ length: Math.min(500, count - start) }, (_, index) => inputOf(start + index)),
    );
}

async function answersOf(loci: TestLoci): Promise<readonly RecallResult["hits"][]> {
  const results = await Promise.all(
    words.map((word) => loci.recall({ query: `What about the ${word}?`, scopes: ["user:a"], evaluationTime })),
  );
  return results.map(({ hits }) => hits);
}

/** Where a move leads, and how many memories it takes along: more than may be waiting when it switches, 500. */
const moves = [
  { to: "embedded", memories: 1_000 },
  { to: "lancedb", memories: 600 },
  { to: "pgvector", memories: 600 },
] as const;

test.for(moves)(
  "a move to $to under a load of reads and writes is noticed by nobody, and loses nothing",
  // Each move shares the machine with the load that it must not disturb.
  { timeout: 120_000 },
  async (move) => {
    const { to, memories } = move;
    await using database = to === "pgvector" ? await openTestDatabase() : undefined;
    const indexes: readonly PgvectorIndex[] =
      database === undefined
        ? []
        : [
            {
              kind: "pgvector",
              connectionString: database.connectionString,
              maxConnections: Math.min(8, database.maxConnections),
            },
          ];
    const engine = await openEngine({ dataDirectory, index: "memory", indexes });
    const loci = engine.for(principalOf("local"));
    // Of another tenant, as the numbers that scores are made of are the tenant's.
    const writing = engine.for(principalOf("writer"));
    await fill(loci, memories);
    await loci.settled();
    const expected = await answersOf(loci);
    expect(expected.every((hits) => hits.length > 0)).toBe(true);

    const load = { isRunning: true };
    const written: string[] = [];
    const writer = (async () => {
      for (let number = 0; load.isRunning; number++) {
        const { id } = await writing.memories.remember({ text: `Zebra ${number} crossed.`, scope: "user:b" });
        written.push(id);
        // What was written is found at once, whichever index answers.
        const { hits } = await writing.recall({ query: `zebra ${number}`, scopes: ["user:b"], limit: 1 });
        expect(hits.map(({ memory }) => memory.id)).toEqual([id]);
        await setTimeout(30);
      }
    })();
    let reads = 0;
    const reader = (async () => {
      for (; load.isRunning; reads++) {
        expect(await answersOf(loci)).toEqual(expected);
        await setTimeout(60);
      }
    })();

    const seen: MaintenanceProgress[] = [];
    const onProgress = (progress: MaintenanceProgress): void => void seen.push(progress);
    const there = await loci.maintenance.reindex({ to }, { onProgress });
    expect(there.counts["changes"]).toBeGreaterThanOrEqual(memories);
    const last = seen.at(-1);
    // Reports are some time apart: what came after the last one may be all there was to do.
    expect(last?.done).toBeGreaterThanOrEqual(0);
    expect(last?.total).toBeGreaterThanOrEqual(last?.done ?? Infinity);
    await loci.maintenance.reindex({ to: "memory" });
    await loci.maintenance.reindex({ to, dropOld: true });
    // A move may be over before the load has done much.
    await expect.poll(() => Math.min(reads, written.length)).toBeGreaterThan(3);
    load.isRunning = false;
    await Promise.all([writer, reader]);

    const answersHere = await answersOf(loci);
    expect(answersHere).toEqual(expected);
    for (const [one, rows] of [
      [loci, memories],
      [writing, written.length],
    ] as const) {
      const report = await one.maintenance.verify();
      expect(report.findings).toEqual([]);
      expect(report.counts["rows"]).toBe(2 * rows);
    }
    await engine.close();

    // The next start opens what was moved to, though the configuration still names the former place.
    const again = await open({ index: "memory", indexes });
    await again.settled();
    expect(await answersOf(again)).toEqual(expected);
    const { notes } = await again.maintenance.reindex({ to });
    expect(notes[0]).toContain("already");
    await again.maintenance.reindex({ to: "memory", dropOld: true });
    for (const left of ["index", "index-lancedb"]) expect(existsSync(join(dataDirectory, left))).toBe(false);
    await again.close();
  },
);

test("a configuration that names another place than before counts more than an earlier move", async () => {
  const first = await open({ index: "memory" });
  await fill(first, 20);
  await first.maintenance.reindex({ to: "embedded" });
  await first.close();
  const second = await open({ index: "embedded" });
  await second.maintenance.reindex({ to: "memory" });
  await second.close();
  const third = await open({ index: "memory" });
  expect((await third.maintenance.reindex({ to: "memory" })).notes[0]).toContain("already");
  expect((await third.maintenance.verify()).findings).toEqual([]);
  await third.close();
});

test("a move that is stopped changes nothing, and goes on where it stood", async () => {
  const loci = await open({ index: "memory" });
  await fill(loci, 1_200);
  await loci.settled();
  const expected = await answersOf(loci);
  const controller = new AbortController();
  const moving = loci.maintenance.reindex(
    { to: "embedded" },
    { signal: controller.signal, onProgress: () => controller.abort() },
  );
  await expect(moving).rejects.toMatchObject({ reason: "CANCELLED" });
  expect(await answersOf(loci)).toEqual(expected);
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.maintenance.reindex({ to: "embedded" });
  expect(await answersOf(loci)).toEqual(expected);
  await loci.close();
});

test("a move whose process is killed goes on where it stood", async () => {
  const loci = await open({ index: "memory" });
  await fill(loci, 2_500);
  await loci.settled();
  const expected = await answersOf(loci);
  await loci.close();

  const program = join(import.meta.dirname, "programs", "move-until-killed.ts");
  const options = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...options, program, dataDirectory, "embedded"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  expect(signal).toBe("SIGKILL");
  expect(Number(output.trim().split("\n").at(-1))).toBeGreaterThan(0);

  const again = await open({ index: "memory" });
  await again.settled();
  expect(await answersOf(again)).toEqual(expected);
  let first: number | undefined;
  await again.maintenance.reindex({ to: "embedded" }, { onProgress: ({ done }) => (first ??= done) });
  // What had been applied before the kill was not applied again.
  expect(first).toBeGreaterThan(0);
  expect(await answersOf(again)).toEqual(expected);
  expect((await again.maintenance.verify()).findings).toEqual([]);
  await again.close();
});

test("what is not configured is refused", async () => {
  await using loci = await open();
  for (const request of [{ to: "lance" }, { embedder: "openai" }])
    await expect(loci.maintenance.reindex(request)).rejects.toMatchObject({ reason: "INVALID_REQUEST" });
  const { counts, dryRun } = await loci.maintenance.reindex({ to: "embedded", dryRun: true });
  expect([dryRun, counts["changes"]]).toEqual([true, 0]);
  expect((await loci.maintenance.verify()).counts["rows"]).toBe(0);
});

test("everything is embedded again while it is in use, and questions change over with the memories", async () => {
  const small = new WordEmbedder("small", 16);
  const large = new WordEmbedder("large", 64);
  const embedders = { small: async () => small, large: async () => large };
  const loci = await open({ index: "embedded", embedder: "small", embedders });
  await fill(loci, 1_000);
  await loci.settled();

  const load = { isRunning: true };
  const written: string[] = [];
  const writer = (async () => {
    for (let number = 0; load.isRunning; number++)
      written.push((await loci.memories.remember({ text: `Fresh note ${number} on birds.`, scope: "user:a" })).id);
  })();
  const reader = (async () => {
    while (load.isRunning) {
      const { degraded, hits } = await loci.recall({ query: "What about the ledger?", scopes: ["user:a"] });
      expect(degraded ?? []).toEqual([]);
      expect(hits.length).toBeGreaterThan(0);
    }
  })();

  // The first attempt breaks off in the middle.
  large.failAfter = 700;
  await expect(loci.maintenance.reindex({ embedder: "large" })).rejects.toMatchObject({
    reason: "EMBEDDER_UNAVAILABLE",
  });
  const embeddedBefore = large.documents;
  large.failAfter = Infinity;
  const report = await loci.maintenance.reindex({ embedder: "large", dropOld: true });
  load.isRunning = false;
  await Promise.all([writer, reader]);
  expect(report.counts["embedded"]).toBeLessThan(1_000 + written.length);
  expect(embeddedBefore).toBeGreaterThanOrEqual(700);
  expect(report.counts["dropped"]).toBe(1);

  await loci.settled();
  const queries = { small: small.queries, large: large.queries };
  const { hits } = await loci.recall({ query: "a fresh note on birds", scopes: ["user:a"], limit: 5 });
  expect(hits.length).toBeGreaterThan(0);
  expect([small.queries - queries.small, large.queries > queries.large]).toEqual([0, true]);
  const { memories } = await loci.memories.list({ scopes: ["user:a"], pageSize: 1_000 });
  expect(memories.every(({ embedding }) => embedding === "ready")).toBe(true);
  expect((await loci.maintenance.verify()).findings).toEqual([]);
  await loci.close();

  // The configuration still names the former one; the ledger knows better.
  const again = await open({ index: "embedded", embedder: "small", embedders });
  expect((await again.maintenance.reindex({ embedder: "large" })).notes[0]).toContain("already");
  await again.close();

  // An embedder of another space is refused with the command, unless it is there to be moved to.
  await expect(open({ index: "embedded", embedder: "local" })).rejects.toMatchObject({
    reason: "EMBEDDING_SPACE_MISMATCH",
    advice: expect.stringContaining("loci reindex --embedder local") as string,
  });
});

test("indexes can be moved to another place and another space at once", async () => {
  const small = new WordEmbedder("small", 16);
  const embedders = { small: async () => small };
  const loci = await open({ index: "memory", embedders });
  await fill(loci, 300);
  await loci.maintenance.reindex({ to: "embedded", embedder: "small" });
  expect((await loci.maintenance.verify()).counts["rows"]).toBe(600);
  expect((await answersOf(loci)).every((hits) => hits.length > 0)).toBe(true);
  await loci.close();
});
