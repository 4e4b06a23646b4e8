import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Sequence, TenantId } from "@loci/domain";
import type { Ledger, ProjectionLease } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { authoredBy } from "../src/calls/authored-by.ts";
import { ProjectionDrainer } from "../src/projections/projection-drainer.ts";
import { everything } from "./support/test-engine.ts";
import { sampleContent } from "./support/sample-content.ts";

const { tenant } = everything;

/** A drainer of one projection, on a ledger whose clock and the process's own stand still until they are moved. */
class Server {
  readonly applied: Sequence[] = [];
  readonly drainer: ProjectionDrainer;
  readonly ledger: Ledger;
  readonly #directory: string;
  readonly #time: { now: number };
  checkpoint = 0;
  onApply: (() => Promise<void>) | undefined;

  private constructor(ledger: Ledger, directory: string, time: { now: number }) {
    this.ledger = ledger;
    this.#directory = directory;
    this.#time = time;
    this.drainer = new ProjectionDrainer({
      ledger,
      projection: {
        name: "shared",
        families: ["memories"],
        isDurable: true,
        apply: async (_tenant: TenantId, _changes: unknown, through: Sequence) => {
          await this.onApply?.();
          this.applied.push(through);
          this.checkpoint = through;
        },
        checkpoint: async () => this.checkpoint,
      },
      reportProblem: (error) => {
        throw error;
      },
    });
  }

  static async start(): Promise<Server> {
    const directory = mkdtempSync(join(tmpdir(), "loci-lease-"));
    const time = { now: 1_800_000_000_000 };
    return new Server(await openSqliteLedger({ directory, clock: () => time.now }), directory, time);
  }

  async commit(id: string, when: "now" | "soon" = "now"): Promise<void> {
    const memory = { ...sampleContent, id } as never;
    await this.ledger.commit({
      ...authoredBy(everything),
      expect: [],
      changes: [{ type: "memoryWritten", memory, contentHash: id as never }],
    });
    if (when === "soon") this.drainer.wakeSoon(tenant, await this.ledger.head(tenant));
    else this.drainer.wake(tenant);
  }

  /** So much time passes that its lease ends, and another server takes it. */
  async loseLease(): Promise<ProjectionLease> {
    for (;;) {
      this.#time.now += 60_000;
      const other = await this.ledger.lease(tenant, "shared");
      // A renewal that was on its way may have come after the clock was moved.
      if (other !== undefined) return other;
    }
  }

  async close(): Promise<void> {
    await this.drainer.close();
    await this.ledger.close();
    rmSync(this.#directory, { recursive: true });
  }
}

let server: Server;
beforeEach(async () => {
  server = await Server.start();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await server.close();
});

test("a holder that was idle makes sure of its lease before it applies more", async () => {
  const { drainer, ledger, applied } = server;
  await server.commit("a");
  await drainer.reach(tenant, 1, undefined);

  // It is idle for so long that its lease ends, and another server takes over and applies the next change.
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  const other = await server.loseLease();
  const asking = vi.spyOn(ledger, "lease");
  await server.commit("b");
  await expect.poll(() => asking.mock.results.length).toBe(1);
  expect(await asking.mock.results[0]?.value).toBeUndefined();
  expect(applied).toEqual([1]);

  server.checkpoint = 2;
  await other.acknowledge(2);
  await other.release();
  await server.commit("c");
  await drainer.reach(tenant, 3, undefined);
  expect(applied).toEqual([1, 3]);
});

test("what is committed within a moment is applied together, and what somebody waits for without delay", async () => {
  const { drainer, applied } = server;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const id of ["a", "b", "c"]) await server.commit(id, "soon");
  expect(applied).toEqual([]);
  vi.advanceTimersByTime(100);
  await expect.poll(() => server.checkpoint).toBe(3);
  expect(applied).toEqual([3]);

  await server.commit("d", "soon");
  await drainer.reach(tenant, 4, undefined);
  expect(applied).toEqual([3, 4]);
});

test("what is committed while a batch is applied is gathered too", async () => {
  const { drainer, applied } = server;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let more = ["b", "c"];
  server.onApply = async () => {
    const now = more;
    more = [];
    for (const id of now) await server.commit(id, "soon");
  };
  await server.commit("a", "soon");
  vi.advanceTimersByTime(100);
  await standingAt(1);
  await server.commit("d", "soon");
  expect(applied).toEqual([1]);
  vi.advanceTimersByTime(100);
  await standingAt(4);
  expect(applied).toEqual([1, 4]);

  // Who waits for it has it without delay.
  more = ["f"];
  await server.commit("e", "soon");
  await drainer.reach(tenant, 5, undefined);
  expect(applied.slice(2)).toEqual([5]);
  await drainer.reach(tenant, 6, undefined);
  expect(applied.slice(2)).toEqual([5, 6]);
});

/** Looks without moving the time on, as `expect.poll` does. */
async function standingAt(checkpoint: Sequence): Promise<void> {
  while (server.checkpoint < checkpoint) await setImmediate();
}

test("work on an index held still has its turn although the log grows faster than it is applied", async () => {
  let commits = 0;
  server.onApply = () => server.commit(`more-${++commits}`);
  await server.commit("a");
  await server.drainer.reach(tenant, 3, undefined);
  const position = await server.drainer.whileStill(
    tenant,
    async (place) => {
      const { length } = server.applied;
      await server.commit("b");
      expect(server.applied.length).toBe(length);
      return place;
    },
    undefined,
  );
  server.onApply = undefined;
  // What came meanwhile is applied then, without being called for.
  const head = await server.ledger.head(tenant);
  expect(position).toBeLessThan(head);
  await expect.poll(() => server.checkpoint).toBe(head);
});

test.each([
  ["ends as soon as it is noticed", true],
  ["is no success even when it did not look", false],
])("work on an index held still whose lease is lost %s", async (_, looks) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  await server.commit("a");
  await server.drainer.reach(tenant, 1, undefined);
  let other: ProjectionLease | undefined;
  const working = server.drainer.whileStill(
    tenant,
    async (position, signal) => {
      expect(position).toBe(1);
      // Renewed in time it goes on.
      await vi.advanceTimersByTimeAsync(4_000);
      expect(signal.aborted).toBe(false);
      other = await server.loseLease();
      await vi.advanceTimersByTimeAsync(2_000);
      await expect.poll(() => signal.aborted).toBe(true);
      if (looks) throw signal.reason;
    },
    undefined,
  );
  await expect(working).rejects.toMatchObject({ reason: "STORE_UNAVAILABLE" });
  // It applies nothing while the other one has the lease, and goes on when it has it back.
  await server.commit("b");
  expect(server.applied).toEqual([1]);
  await other?.release();
  await server.commit("c");
  await server.drainer.reach(tenant, 3, undefined);
  expect(server.applied).toEqual([1, 3]);
});
