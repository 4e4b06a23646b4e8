import { type JobTurns, type Loci, type MaintenanceJob, type Principal, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Logger } from "../src/logging/logger.ts";
import { MaintenanceSchedule, type ScheduledJob } from "../src/maintenance/maintenance-schedule.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Ran {
  readonly tenant: string;
  readonly job: MaintenanceJob;
}

/** Every turn is this server's. */
const turns: Pick<JobTurns, "repeat"> = {
  repeat: async ({ everyMilliseconds, work, onFailure }, signal) => {
    while (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, everyMilliseconds);
      signal.addEventListener("abort", () => resolve());
      await promise;
      if (signal.aborted) return;
      await work(signal).catch((error: unknown) => signal.aborted || onFailure(error));
    }
  },
};

/** A schedule over two tenants. @param run what a job does */
function scheduled(
  jobs: readonly ScheduledJob[],
  run: (ran: Ran, signal: AbortSignal) => Promise<void> = async () => undefined,
): { readonly schedule: MaintenanceSchedule; readonly ran: Ran[]; readonly lines: string[] } {
  const ran: Ran[] = [];
  const lines: string[] = [];
  const engine = {
    turns: turns as JobTurns,
    tenants: async () => [tenantId("acme"), tenantId("globex")],
    for: ({ tenant }: Principal) =>
      ({
        maintenance: {
          run: async (job: MaintenanceJob, { signal }: { readonly signal: AbortSignal }) => {
            ran.push({ tenant, job });
            await run({ tenant, job }, signal);
            return { job: job.type, dryRun: false, counts: { changed: 3 }, findings: [], notes: [] };
          },
        },
      }) as unknown as Loci,
  };
  const logger = new Logger("info", (line) => lines.push(line));
  return { schedule: new MaintenanceSchedule(engine, jobs, logger), ran, lines };
}

const expire: MaintenanceJob = { type: "expire" };

test("jobs run at their times, for every tenant, and those of the deployment once", async () => {
  const { schedule, ran, lines } = scheduled([
    { job: expire, everyMinutes: 10 },
    { job: { type: "compact" }, everyMinutes: 5 },
  ]);
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(ran).toEqual([]);
  await vi.advanceTimersByTimeAsync(6 * 60_000);
  const names = ran.map(({ job, tenant }) => `${job.type} ${job.type === "compact" ? "" : tenant}`);
  expect(names.toSorted()).toEqual(["compact ", "compact ", "expire acme", "expire globex"]);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ event: "maintenance", job: "compact", changed: 3 });
  await schedule.close();
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(ran.length).toBe(4);
});

test("a run under way ends with the server", async () => {
  const { schedule, ran, lines } = scheduled([{ job: expire, everyMinutes: 1 }], async (_, signal) => {
    await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
  });
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  expect(ran.length).toBe(1);
  await schedule.close();
  expect(lines).toEqual([]);
});

test("a job that fails is logged without its message, and runs again", async () => {
  const { schedule, ran, lines } = scheduled([{ job: expire, everyMinutes: 1 }], async () => {
    throw new Error("a secret memory");
  });
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  expect(ran.length).toBe(3);
  expect(lines.join("")).toContain("maintenance failed");
  expect(lines.join("")).not.toContain("secret");
  await schedule.close();
});
