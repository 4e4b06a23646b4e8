import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sequence, TenantId } from "@loci/domain";
import { openSqliteLedger } from "@loci/ledger-sqlite";
import { expect, test, vi } from "vitest";
import { ProjectionDrainer } from "../src/projection-drainer.ts";
import { everything } from "./support/test-engine.ts";

const { tenant } = everything;

test("a holder that was idle makes sure of its lease before it applies more", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loci-lease-"));
  let now = 1_800_000_000_000;
  const ledger = await openSqliteLedger({ directory, clock: () => now });
  const applied: Sequence[] = [];
  let checkpoint = 0;
  const drainer = new ProjectionDrainer({
    ledger,
    name: "shared",
    projection: {
      apply: async (_tenant: TenantId, _changes: unknown, through: Sequence) => {
        applied.push(through);
        checkpoint = through;
      },
      checkpoint: async () => checkpoint,
      maintain: async () => {},
      async *refs() {},
    },
    makeChanges: async () => [],
    reportProblem: (error) => {
      throw error;
    },
  });
  const commit = async (id: string): Promise<void> => {
    const memory = { ...sample, id } as never;
    await ledger.commit({
      principal: everything,
      expect: [],
      changes: [{ type: "memoryWritten", memory, contentHash: id as never }],
    });
    drainer.wake(tenant);
  };
  const elapsed = vi.spyOn(performance, "now");
  try {
    await commit("a");
    await drainer.reach(tenant, 1, undefined);

    // It is idle for so long that its lease ends, and another server takes over and applies the next change.
    now += 60_000;
    elapsed.mockReturnValue(performance.now() + 60_000);
    const other = await ledger.lease(tenant, "shared");
    await commit("b");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(applied).toEqual([1]);

    checkpoint = 2;
    await other?.acknowledge(2);
    await other?.release();
    await commit("c");
    await drainer.reach(tenant, 3, undefined);
    expect(applied).toEqual([1, 3]);
  } finally {
    elapsed.mockRestore();
    await drainer.close();
    await ledger.close();
    rmSync(directory, { recursive: true });
  }
});

const sample = {
  text: "a",
  category: "fact",
  scope: { kind: "global" },
  importance: 0.5,
  confidence: 1,
  isStatic: false,
  tags: [],
  origin: "manual",
  trust: "trusted",
  metadata: {},
  createdAt: 0,
  updatedAt: 0,
  version: 1,
  state: "active",
};
