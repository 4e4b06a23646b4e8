import type { MaintenanceJobType } from "@loci/domain";
import type { Ledger, ProjectionLease } from "@loci/ledger";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { JobTurns } from "../src/maintenance/job-turns.ts";

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

/** Settings and leases as a ledger has them, which several servers share. Leases end after 5 s. */
class SharedLedger {
  readonly #values = new Map<string, string>();
  readonly #leases = new Map<string, { readonly holder: symbol; until: number }>();

  readonly settings: Ledger["settings"] = {
    get: async (_tenant, name) => this.#values.get(name),
    set: async (_tenant, name, value) => void this.#values.set(name, value ?? ""),
    compareAndSet: async (_tenant, name, expected, value) => {
      if (this.#values.get(name) !== expected) return false;
      this.#values.set(name, value);
      return true;
    },
    list: async () => this.#values,
  };

  async lease(_tenant: unknown, name: string): Promise<ProjectionLease | undefined> {
    const holder = Symbol(name);
    const isHeld = (): boolean => this.#leases.get(name)?.holder === holder;
    if ((this.#leases.get(name)?.until ?? 0) > Date.now()) return undefined;
    const acknowledge = async (): Promise<boolean> => {
      if (isHeld()) this.#leases.set(name, { holder, until: Date.now() + 5_000 });
      return isHeld();
    };
    this.#leases.set(name, { holder, until: Date.now() + 5_000 });
    return { acknowledge, release: async () => void (isHeld() && this.#leases.delete(name)) };
  }
}

interface Server {
  /** When its runs began, in minutes since the test did. */
  readonly began: number[];
  readonly failures: unknown[];
  stop(): Promise<void>;
}

interface ServerOptions {
  readonly ledger: SharedLedger;
  readonly job?: MaintenanceJobType;
  readonly everyMinutes?: number;
  readonly work?: (signal: AbortSignal) => Promise<void>;
  readonly owner?: string;
}

const start = 1_800_000_000_000;

function server({ ledger, job = "expire", everyMinutes = 10, work, owner }: ServerOptions): Server {
  const turns = new JobTurns({ ledger, clock: Date.now, ownerOf: () => owner });
  const controller = new AbortController();
  const began: number[] = [];
  const failures: unknown[] = [];
  const repeating = turns.repeat(
    {
      job,
      everyMilliseconds: everyMinutes * minute,
      work: async (signal) => {
        began.push((Date.now() - start) / minute);
        await work?.(signal);
      },
      onFailure: (error) => failures.push(error),
    },
    controller.signal,
  );
  return {
    began,
    failures,
    stop: async () => {
      controller.abort();
      await repeating;
    },
  };
}

/** Work that only ends when it is told to. */
function endless(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))));
}

test("of several servers one runs a job each time it is due, whoever started when", async () => {
  const ledger = new SharedLedger();
  const first = server({ ledger });
  await vi.advanceTimersByTimeAsync(3 * minute);
  const [second, third] = [server({ ledger }), server({ ledger })];
  await vi.advanceTimersByTimeAsync(32 * minute);
  const began = [first, second, third].flatMap((one) => one.began).toSorted((left, right) => left - right);
  expect(began).toEqual([10, 20, 30]);
  // One goes: the others run what it would have run.
  await first.stop();
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect([second, third].flatMap((one) => one.began)).toContain(40);
  await Promise.all([second.stop(), third.stop()]);
  expect([first, second, third].flatMap(({ failures }) => failures)).toEqual([]);
});

test("a restart neither repeats a job nor forgets it", async () => {
  const ledger = new SharedLedger();
  const began: number[] = [];
  for (let restart = 0; restart < 10; restart++) {
    const one = server({ ledger, everyMinutes: 60 });
    await vi.advanceTimersByTimeAsync(13 * minute);
    await one.stop();
    began.push(...one.began);
  }
  expect(began).toEqual([60, 120]);
});

test("a run that takes longer than its interval is not overtaken, on any server", async () => {
  const ledger = new SharedLedger();
  const work = endless;
  const servers = [server({ ledger, work, everyMinutes: 1 }), server({ ledger, work, everyMinutes: 1 })];
  await vi.advanceTimersByTimeAsync(10 * minute);
  expect(servers.flatMap(({ began }) => began)).toEqual([1]);
  await Promise.all(servers.map(({ stop }) => stop()));
  expect(servers.flatMap(({ failures }) => failures)).toEqual([]);
});

test("what a stopped or a killed server has begun is done by another", async () => {
  const ledger = new SharedLedger();
  const stopped = server({ ledger, work: endless });
  await vi.advanceTimersByTimeAsync(10 * minute);
  const other = server({ ledger });
  await vi.advanceTimersByTimeAsync(minute / 2);
  expect([stopped.began, other.began]).toEqual([[10], []]);
  await stopped.stop();
  await vi.advanceTimersByTimeAsync(minute);
  expect(other.began).toEqual([11]);

  // As by a server that took the lease and died.
  await vi.advanceTimersByTimeAsync(9.45 * minute);
  expect(await ledger.lease(undefined, "job:expire")).toBeDefined();
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(other.began).toEqual([11, 22]);
  await other.stop();
});

test("a job that fails is told of, and waits for its next time", async () => {
  const ledger = new SharedLedger();
  const failing = async (): Promise<void> => {
    throw new Error("no");
  };
  const servers = [server({ ledger, work: failing }), server({ ledger, work: failing })];
  await vi.advanceTimersByTimeAsync(25 * minute);
  expect(servers.flatMap(({ began }) => began)).toEqual([10, 20]);
  expect(servers.flatMap(({ failures }) => failures).length).toBe(2);
  await Promise.all(servers.map(({ stop }) => stop()));
});

test("work stops when its lease is lost, and indexes of a server's own are its own turn", async () => {
  const ledger = new SharedLedger();
  const one = server({ ledger, work: endless });
  await vi.advanceTimersByTimeAsync(10 * minute);
  // The process stood still for longer than its lease.
  vi.setSystemTime(Date.now() + minute);
  const lease = await ledger.lease(undefined, "job:expire");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(String(one.failures[0])).toContain("stopped");
  await lease?.release();
  await one.stop();

  const owners = ["a", "b"].map((owner) => server({ ledger, owner, job: "compact", everyMinutes: 5 }));
  await vi.advanceTimersByTimeAsync(6 * minute);
  expect(owners.map(({ began }) => began.length)).toEqual([1, 1]);
  await Promise.all(owners.map(({ stop }) => stop()));
});
