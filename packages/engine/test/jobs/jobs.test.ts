import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LociError, tenantId } from "@loci/domain";
import type { Ledger, NewJob } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { errorOfJob, type JobHandler, Jobs, type ReportProblem } from "../../src/index.ts";

const tenant = tenantId("acme");
const never = new AbortController().signal;
const pollMilliseconds = 20;
/** For what comes at once where the machine has time: a wait ends with its job. */
const long = 30_000;

let directory: string;
let ledger: Ledger;
let now: number;
const open: Jobs[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-jobs-"));
  now = 1_800_000_000_000;
  ledger = await openSqliteLedger({ directory, clock: () => now });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((jobs) => jobs.close()));
  await ledger.close();
  rmSync(directory, { recursive: true });
});

/** Nothing fails in the background here. */
function raise(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** A process of its own on the ledger. */
function process(handler?: JobHandler, reportProblem: ReportProblem = raise): Jobs {
  const jobs = new Jobs({ table: ledger.jobs, reportProblem, pollMilliseconds });
  open.push(jobs);
  if (handler !== undefined) jobs.handle("kind", handler);
  return jobs;
}

function job(id: string, changes: Partial<NewJob> = {}): NewJob {
  return { id, kind: "kind", request: `do ${id}`, keepMilliseconds: 60_000, ...changes };
}

/** A handler that works until it is told to stop. */
function endless(): JobHandler & { readonly started: string[]; readonly stopped: unknown[] } {
  const started: string[] = [];
  const stopped: unknown[] = [];
  return {
    started,
    stopped,
    run: ({ id }, { signal }) => {
      started.push(id);
      const { promise, reject } = Promise.withResolvers<never>();
      signal.addEventListener("abort", () => {
        stopped.push(signal.reason);
        reject(signal.reason as Error);
      });
      return promise;
    },
  };
}

test("a job is carried out once, and whoever waits is told what came of it", async () => {
  const requests: string[] = [];
  const jobs = process({
    run: async ({ request }, { progress }) => {
      requests.push(request);
      progress("half");
      progress("all");
      return "done";
    },
  });
  await jobs.enqueue(tenant, job("a"));
  await jobs.enqueue(tenant, job("a"));
  const ended = await jobs.wait(tenant, "a", long, never);
  expect(ended).toMatchObject({ state: "succeeded", result: "done", progress: "all", attempts: 1 });
  expect(await jobs.enqueue(tenant, job("a"))).toEqual(ended);
  expect(requests).toEqual(["do a"]);
  expect((await jobs.list(tenant, { kind: "kind", limit: 9 })).map(({ id }) => id)).toEqual(["a"]);
});

test("how a job ended is noted although nobody can be told how far it came", async () => {
  const renew = vi.spyOn(ledger.jobs, "renew").mockRejectedValue(new Error("The ledger is busy."));
  const jobs = process({
    run: async (_, { progress }) => {
      progress("all");
      return "done";
    },
  });
  await jobs.enqueue(tenant, job("a"));
  expect(await jobs.wait(tenant, "a", long, never)).toMatchObject({ state: "succeeded", result: "done" });
  expect(renew).toHaveBeenCalledOnce();
});

test("how far a job has come is told later when the ledger does not take it at once", async () => {
  const renew = vi.spyOn(ledger.jobs, "renew").mockRejectedValueOnce(new Error("The ledger is busy."));
  const jobs = process({
    run: async (_, { progress }) => {
      progress("half");
      await vi.waitFor(() => expect(renew).toHaveBeenCalled(), long);
      return "done";
    },
  });
  await jobs.enqueue(tenant, job("a"));
  expect(await jobs.wait(tenant, "a", long, never)).toMatchObject({ state: "succeeded", progress: "half" });
});

test("what another process enqueues is found, and its end is seen there", async () => {
  process({ run: async () => "by the other" });
  const asking = process();
  await asking.enqueue(undefined, job("a"));
  expect(await asking.wait(undefined, "a", long, never)).toMatchObject({ result: "by the other" });
});

test("a process without a handler does not look for work", async () => {
  const claim = vi.spyOn(ledger.jobs, "claim");
  const jobs = process();
  await jobs.enqueue(tenant, job("a"));
  await setTimeout(5 * pollMilliseconds);
  expect(claim).not.toHaveBeenCalled();
  jobs.handle("kind", { run: async () => undefined });
  expect(await jobs.wait(tenant, "a", long, never)).toMatchObject({ state: "succeeded" });
});

test("a failure is tried again after 1 s, 10 s, 1 min and 10 min, and then the job is dead", async () => {
  let failures = 0;
  const told: string[] = [];
  const handler: JobHandler = {
    run: async () => {
      failures++;
      throw new Error("canary");
    },
  };
  const jobs = process(handler, (error, activity) => told.push(`${activity}: ${String(error)}`));
  await jobs.enqueue(tenant, job("a"));
  for (const [index, delay] of [1_000, 10_000, 60_000, 600_000].entries()) {
    await expect.poll(async () => (await jobs.get(tenant, "a"))?.dueAt).toBe(now + delay);
    expect(failures).toBe(index + 1);
    expect((await jobs.get(tenant, "a"))?.state).toBe("queued");
    now += delay;
  }
  const dead = await jobs.wait(tenant, "a", long, never);
  expect(dead).toMatchObject({ state: "dead", attempts: 5 });
  expect(errorOfJob(dead ?? {})?.reason).toBe("INTERNAL");
  expect(JSON.stringify(dead)).not.toContain("canary");
  // Who runs it hears why.
  expect(told).toEqual(Array.from({ length: 5 }, () => "carrying out a job of the kind kind: Error: canary"));
});

test("what another try cannot mend is dead at once", async () => {
  const jobs = process({
    run: async () => {
      throw new LociError("INVALID_REQUEST", { message: "No." });
    },
  });
  await jobs.enqueue(tenant, job("a"));
  const dead = await jobs.wait(tenant, "a", long, never);
  expect([dead?.state, errorOfJob(dead ?? {})?.reason]).toEqual(["dead", "INVALID_REQUEST"]);
});

test("no more run at once than the handler says", async () => {
  const handler = endless();
  const jobs = process({ ...handler, concurrency: 2 });
  for (const id of ["a", "b", "c"]) await jobs.enqueue(tenant, job(id));
  await expect.poll(() => handler.started.length).toBe(2);
  await setTimeout(5 * pollMilliseconds);
  expect(handler.started.length).toBe(2);
  await jobs.cancel(tenant, handler.started[0] ?? "");
  await expect.poll(() => handler.started.length).toBe(3);
});

test("cancelling stops the work, here at once and elsewhere soon", async () => {
  const handler = endless();
  const working = process(handler);
  const other = process();
  for (const id of ["a", "b"]) await working.enqueue(tenant, job(id));
  await expect.poll(() => handler.started).toEqual(["a", "b"]);
  expect(await working.cancel(tenant, "a")).toMatchObject({ state: "cancelled", endedAt: now });
  expect(await other.cancel(tenant, "b")).toMatchObject({ state: "running", cancelRequested: true });
  expect(await other.wait(tenant, "b", long, never)).toMatchObject({ state: "cancelled" });
  expect(handler.stopped).toMatchObject([{ reason: "CANCELLED" }, { reason: "CANCELLED" }]);
});

test("work that does not stop when it is told to holds nobody up", async () => {
  const jobs = process({ run: () => new Promise(() => undefined) });
  await jobs.enqueue(tenant, job("a"));
  await expect.poll(async () => (await jobs.get(tenant, "a"))?.state).toBe("running");
  expect(await jobs.cancel(tenant, "a")).toMatchObject({ state: "cancelled" });
});

test("at close what is under way goes back within 2 s, the attempt does not count, and another takes it up", async () => {
  // By a clock of its own: on a busy machine nothing is sure to happen within 2 s.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const stubborn = process({ run: () => new Promise(() => undefined) });
  await stubborn.enqueue(tenant, job("a"));
  await expect.poll(async () => (await stubborn.get(tenant, "a"))?.state).toBe("running");
  const closing = stubborn.close();
  await vi.advanceTimersByTimeAsync(1_999);
  await closing;
  vi.useRealTimers();
  expect(await ledger.jobs.get(tenant, "a")).toMatchObject({ state: "queued", attempts: 0 });
  const next = process({ run: async () => "done" });
  expect(await next.wait(tenant, "a", long, never)).toMatchObject({ state: "succeeded", attempts: 1 });
  await expect(stubborn.enqueue(tenant, job("b"))).rejects.toMatchObject({ reason: "CLOSED" });
});

test("a job whose worker is gone is carried out again, unless it cannot be repeated", async () => {
  for (const id of ["again", "once"]) {
    await ledger.jobs.enqueue(tenant, job(id));
    await ledger.jobs.claim({ kinds: ["kind"], worker: "gone", leaseMilliseconds: 1_000 });
  }
  const jobs = process({ run: async () => "done", isRepeatable: ({ id }) => id === "again" });
  await setTimeout(3 * pollMilliseconds);
  expect(await jobs.get(tenant, "again")).toMatchObject({ state: "running", attempts: 1 });
  now += 1_000;
  expect(await jobs.wait(tenant, "again", long, never)).toMatchObject({ state: "succeeded", attempts: 2 });
  const once = await jobs.wait(tenant, "once", long, never);
  expect([once?.state, errorOfJob(once ?? {})?.reason]).toEqual(["dead", "JOB_INTERRUPTED"]);
});

test("a job that takes its worker along each time is given up", async () => {
  await ledger.jobs.enqueue(tenant, job("a"));
  for (let time = 0; time < 5; time++) {
    await ledger.jobs.claim({ kinds: ["kind"], worker: `gone ${time}`, leaseMilliseconds: 1 });
    now += 1;
  }
  const jobs = process({ run: async () => "done", retryDelays: [] });
  const dead = await jobs.wait(tenant, "a", long, never);
  expect([dead?.state, errorOfJob(dead ?? {})?.reason]).toEqual(["dead", "JOB_INTERRUPTED"]);
});

test("the lease is renewed while the work goes on, and the work stops when another has it", async () => {
  const handler = endless();
  const jobs = process({ ...handler, leaseMilliseconds: 1_000 });
  await jobs.enqueue(tenant, job("a"));
  await expect.poll(() => handler.started).toEqual(["a"]);
  now += 900;
  await expect.poll(async () => (await jobs.get(tenant, "a"))?.dueAt).toBe(now + 1_000);
  const claim = { kinds: ["kind"], worker: "other", leaseMilliseconds: 60_000 };
  now += 1_000;
  // As this one's clock stood still.
  const taken = await ledger.jobs.claim(claim);
  expect(taken?.job.attempts).toBe(2);
  await expect.poll(() => handler.stopped.length).toBe(1);
  expect(await jobs.get(tenant, "a")).toMatchObject({ state: "running", attempts: 2 });
  await jobs.close();
  expect(await ledger.jobs.get(tenant, "a")).toMatchObject({ state: "running", attempts: 2 });
});
