import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type JobRepetition,
  type JobTurns,
  type Loci,
  type MaintenanceJob,
  type MemoryId,
  type OpenedEngine,
  openEngine,
  roles,
  tenantId,
} from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Logger } from "../src/logging/logger.ts";
import { MaintenanceSchedule, type ScheduledJob } from "../src/maintenance/maintenance-schedule.ts";

/** Whoever runs it says when a job is due; every turn is this server's. */
class Turns {
  readonly repetitions: JobRepetition[] = [];
  readonly #runs = new Set<Promise<void>>();
  #signal: AbortSignal | undefined;

  readonly repeat: JobTurns["repeat"] = async (repetition, signal) => {
    this.repetitions.push(repetition);
    this.#signal = signal;
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await Promise.all(this.#runs);
  };

  /** Runs a job as its turn would, and resolves when it has ended, in whatever way. */
  async due(job: MaintenanceJob["type"]): Promise<void> {
    const repetition = this.repetitions.find((one) => one.job === job);
    const signal = this.#signal;
    if (repetition === undefined || signal === undefined) throw new Error(`${job} is not scheduled.`);
    const running = repetition.work(signal).catch((error: unknown) => {
      if (!signal.aborted) repetition.onFailure(error);
    });
    this.#runs.add(running);
    await running.finally(() => this.#runs.delete(running));
  }
}

const tenants = ["acme", "globex"] as const;
/** What the engine's clock shows. */
let now = Date.UTC(2026, 0, 1);
let directory: string;
let engine: OpenedEngine;
let turns: Turns;
let lines: string[];
let schedule: MaintenanceSchedule | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "loci-schedule-"));
  engine = await openEngine({ dataDirectory: directory, index: "memory", clock: () => now });
  turns = new Turns();
  lines = [];
});
afterEach(async () => {
  await schedule?.close();
  await engine.close();
  await rm(directory, { recursive: true, force: true });
});

function scheduled(...jobs: readonly ScheduledJob[]): MaintenanceSchedule {
  const logger = new Logger("info", (line) => lines.push(line));
  const tenantsOf = (): ReturnType<OpenedEngine["tenants"]> => engine.tenants();
  const own = { turns: turns as unknown as JobTurns, for: engine.for.bind(engine), tenants: tenantsOf };
  return (schedule = new MaintenanceSchedule(own, jobs, logger));
}

function lociOf(tenant: string): Loci {
  return engine.for({ tenant: tenantId(tenant), subject: "test", roles, scopePatterns: ["*"] });
}

test("jobs are carried out for every tenant, and those of the deployment once", async () => {
  const memories: (readonly [tenant: string, id: MemoryId])[] = [];
  for (const tenant of tenants) {
    const lunch = { text: "lunch", scope: "user:a", expiresAt: now + 60_000 } as const;
    memories.push([tenant, (await lociOf(tenant).memories.remember(lunch)).id]);
  }
  now += 120_000;
  scheduled({ job: { type: "expire" }, everyMinutes: 10 }, { job: { type: "compact" }, everyMinutes: 5 });
  expect(turns.repetitions.map(({ job, everyMilliseconds }) => [job, everyMilliseconds])).toEqual([
    ["expire", 600_000],
    ["compact", 300_000],
  ]);
  await turns.due("expire");
  for (const [tenant, id] of memories) {
    const versions = await lociOf(tenant).memories.versions(id);
    expect(versions.at(-1)?.state).toBe("deleted");
  }
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(logged).toMatchObject(tenants.map((tenant) => ({ event: "maintenance", job: "expire", tenant, changed: 1 })));
  await turns.due("compact");
  expect(lines.length).toBe(tenants.length + 1);
});

test("what no job mends is an error in the log", async () => {
  await lociOf("acme").memories.remember({ text: "lunch", scope: "user:a" });
  await lociOf("globex").memories.remember({ text: "dinner", scope: "user:a" });
  const database = new DatabaseSync(join(directory, "ledger.sqlite"), { timeout: 5_000 });
  database.exec("UPDATE changes SET record = replace(record, 'lunch', 'launch')");
  database.close();
  scheduled({ job: { type: "verify", repair: true }, everyMinutes: 1 });
  await turns.due("verify");
  expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toMatchObject([
    { level: "error", event: "maintenance", job: "verify", tenant: "acme", damaged: 1 },
    { level: "info", event: "maintenance", job: "verify", tenant: "globex", damaged: 0 },
  ]);
});

test("a run under way ends with the server", async () => {
  await lociOf("acme").memories.remember({ text: "lunch", scope: "user:a" });
  await lociOf("acme").settled();
  // Its comparison waits for an index that nobody brings up to date.
  await engine.drainers.pause();
  await lociOf("acme").memories.remember({ text: "dinner", scope: "user:a" });
  const running = scheduled({ job: { type: "verify" }, everyMinutes: 1 });
  const due = turns.due("verify");
  await running.close();
  await due;
  expect(lines).toEqual([]);
  engine.drainers.resume();
});

test("a job that fails is logged without its message, and runs again", async () => {
  await lociOf("acme").memories.remember({ text: "lunch", scope: "user:a" });
  scheduled({ job: { type: "reindex", to: "a secret place" }, everyMinutes: 1 });
  for (let run = 1; run <= 3; run++) {
    await turns.due("reindex");
    expect(lines.length).toBe(run);
  }
  expect(lines.join("")).toContain("maintenance failed");
  expect(lines.join("")).toContain('"reason":"INVALID_');
  expect(lines.join("")).not.toContain("secret");
});

test("a job that fails for one tenant is carried out for the others, and not tried for all when it fails for each", async () => {
  for (const tenant of tenants) await lociOf(tenant).memories.remember({ text: "lunch", scope: "user:a" });
  const failing = new Set<string>(["acme"]);
  const open = engine.for.bind(engine);
  const run = vi.fn<() => Promise<never>>().mockRejectedValue(new Error("a secret of acme"));
  vi.spyOn(engine, "for").mockImplementation((principal) => {
    const loci = open(principal);
    return failing.has(principal.tenant) ? { ...loci, maintenance: { ...loci.maintenance, run } } : loci;
  });
  scheduled({ job: { type: "expire" }, everyMinutes: 1 });
  await turns.due("expire");
  expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toMatchObject([
    { level: "warn", event: "maintenance failed", job: "expire", tenant: "acme" },
    { level: "info", event: "maintenance", job: "expire", tenant: "globex" },
  ]);
  expect(lines.join("")).not.toContain("secret");
  const many = Array.from({ length: 50 }, (_, number) => tenantId(`tenant ${number}`));
  for (const tenant of many) failing.add(tenant);
  vi.spyOn(engine, "tenants").mockResolvedValue(many);
  run.mockClear();
  await turns.due("expire");
  expect(run.mock.calls.length).toBeLessThan(many.length / 2);
});
