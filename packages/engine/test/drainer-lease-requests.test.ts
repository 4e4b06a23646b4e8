import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sequence, TenantId } from "@loci/domain";
import type { LeaseListener, Ledger } from "@loci/ledger";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authoredBy } from "../src/calls/authored-by.ts";
import { ProjectionDrainer } from "../src/projections/projection-drainer.ts";
import { everything } from "./support/test-engine.ts";
import { sampleContent } from "./support/sample-content.ts";

const { tenant } = everything;
/** By a clock that stands still no lease ends by itself: who gets one that was held has been given it. */
const clock = (): number => 1_800_000_000_000;

/** An index that two servers apply the log to, and what they do to it. */
class SharedIndex {
  checkpoint: Sequence = 0;
  /** What is under way: more than one thing at once is one too many. */
  underWay = 0;
  most = 0;
  beforeApply: (() => Promise<void>) | undefined;

  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.most = Math.max(this.most, ++this.underWay);
    try {
      return await work();
    } finally {
      this.underWay--;
    }
  }

  /** @param refusal what a server says that cannot write into this index */
  drainer(ledger: Ledger, refusal?: Error): ProjectionDrainer {
    return new ProjectionDrainer({
      ledger,
      projection: {
        name: "shared",
        families: ["memories"],
        isDurable: true,
        apply: (_tenant: TenantId, _changes: unknown, through: Sequence) =>
          this.during(async () => {
            if (refusal !== undefined) throw refusal;
            await this.beforeApply?.();
            this.checkpoint = through;
          }),
        checkpoint: async () => this.checkpoint,
      },
      reportProblem: (error) => {
        if (error !== refusal) throw error;
      },
    });
  }
}

/** The ledger as one that several servers share. */
function sharedLedger(ledger: Ledger, onAsked: () => void): Ledger {
  const listeners = new Set<LeaseListener>();
  const own: Partial<Ledger> = {
    askForLease: async (asked, projection) => {
      onAsked();
      for (const listener of listeners) listener(asked, projection);
    },
    onLeaseAskedFor: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return new Proxy(ledger, {
    get(target, property) {
      if (Object.hasOwn(own, property)) return Reflect.get(own, property) as unknown;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

let directory: string;
let ledger: Ledger;
let index: SharedIndex;
let asked: number;
let [first, second]: ProjectionDrainer[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-lease-requests-"));
  asked = 0;
  ledger = sharedLedger(await openSqliteLedger({ directory, clock }), () => asked++);
  index = new SharedIndex();
  [first, second] = [index.drainer(ledger), index.drainer(ledger)];
});
afterEach(async () => {
  await drainerOf(first).close();
  await drainerOf(second).close();
  await ledger.close();
  rmSync(directory, { recursive: true });
});

function drainerOf(drainer: ProjectionDrainer | undefined): ProjectionDrainer {
  if (drainer === undefined) throw new Error("There is no drainer.");
  return drainer;
}

async function commit(id: string): Promise<void> {
  const memory = { ...sampleContent, id } as never;
  const changes = [{ type: "memoryWritten", memory, contentHash: id as never }] as const;
  await ledger.commit({ ...authoredBy(everything), expect: [], changes });
}

test("a server that has nothing to apply gives its lease back to one that asks, and goes on afterwards", async () => {
  await commit("a");
  await drainerOf(first).reach(tenant, 1, undefined);
  const position = await drainerOf(second).whileStill(tenant, async (place) => place, undefined);
  expect([position, asked > 0]).toEqual([1, true]);

  await commit("b");
  await drainerOf(second).reach(tenant, 2, undefined);
  expect(await drainerOf(first).whileStill(tenant, async (place) => place, undefined)).toBe(2);
  await commit("c");
  await drainerOf(first).reach(tenant, 3, undefined);
  expect(index.most).toBe(1);
});

test("one that is about to apply something does so although it is asked", async () => {
  await commit("a");
  await drainerOf(first).reach(tenant, 1, undefined);
  await commit("b");
  drainerOf(first).wakeSoon(tenant, 2);
  await ledger.askForLease?.(tenant, "shared");
  await expect.poll(() => index.checkpoint).toBe(2);
});

test("one that applies something, or holds its index still, finishes first", async () => {
  const [applying, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  index.beforeApply = () => applying.promise;
  await commit("a");
  drainerOf(first).wake(tenant);
  await expect.poll(() => index.underWay).toBe(1);
  const work = drainerOf(second).whileStill(
    tenant,
    (position) => index.during(async () => holding.promise.then(() => position)),
    undefined,
  );
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect([index.checkpoint, index.underWay]).toEqual([0, 1]);
  index.beforeApply = undefined;
  applying.resolve();
  await expect.poll(() => [index.checkpoint, index.underWay]).toEqual([1, 1]);

  const before = asked;
  const third = drainerOf(first).whileStill(tenant, (position) => index.during(async () => position), undefined);
  await expect.poll(() => asked).toBeGreaterThan(before + 2);
  expect(index.underWay).toBe(1);
  holding.resolve();
  expect([await work, await third, index.most]).toEqual([1, 1, 1]);
});

test("one that always has something to apply lets others have their turn, between two batches", async () => {
  await commit("a");
  await drainerOf(first).reach(tenant, 1, undefined);
  const state = { isOver: false };
  const busy = (async () => {
    for (let number = 0; !state.isOver; number++) {
      await commit(`busy-${number}`);
      for (const drainer of [first, second]) drainerOf(drainer).wakeSoon(tenant, number + 2);
    }
  })();
  // Each of them asks the other in turn.
  for (const drainer of [second, first, second]) {
    const still = drainerOf(drainer).whileStill(tenant, (place) => index.during(async () => place), undefined);
    expect(await still).toBeGreaterThan(0);
  }
  state.isOver = true;
  await busy;
  // What came meanwhile is applied, by whichever has the lease.
  const head = await ledger.head(tenant);
  await drainerOf(first).reach(tenant, head, undefined);
  expect([index.checkpoint, index.most]).toEqual([head, 1]);
});

test("one that has got its lease back goes on, though it was about to leave it to others", async () => {
  await commit("a");
  await drainerOf(second).reach(tenant, 1, undefined);
  await commit("b");
  drainerOf(second).wakeSoon(tenant, 2);
  await drainerOf(first).whileStill(tenant, async () => undefined, undefined);
  await commit("c");
  drainerOf(second).wakeSoon(tenant, 3);
  await drainerOf(second).whileStill(tenant, async () => undefined, undefined);
  await expect.poll(() => index.checkpoint).toBe(3);
});

test("one that cannot write what others can leaves it to them, however often it tries", async () => {
  const old = index.drainer(ledger, new Error("The tables have a form of a newer version."));
  await commit("a");
  old.wake(tenant);
  await expect.poll(() => old.lag().tenants).toBe(1);
  // By the clock that stands still, the lease of one that fails would never end.
  for (const [number, id] of ["b", "c"].entries()) {
    await commit(id);
    old.wake(tenant);
    await drainerOf(second).reach(tenant, number + 2, undefined);
  }
  expect([index.checkpoint, index.most]).toEqual([3, 1]);
  await old.close();
});
