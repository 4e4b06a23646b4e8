import { LociError, tenantId } from "@loci/domain";
import { expect, test, vi } from "vitest";
import { AppliedRate } from "../src/projections/applied-rate.ts";
import type { DrainedProjection } from "../src/projections/drained-projection.ts";
import { projectionStatus } from "../src/projections/projection-status.ts";

const tenant = tenantId("acme");

function drained(
  checkpoint: () => Promise<number>,
  failure?: { error: unknown; milliseconds: number },
): DrainedProjection {
  return {
    label: "text",
    projection: { families: ["memories"], checkpoint },
    drainer: { progressOf: () => ({ ratePerSecond: 2, failure }) },
  } as unknown as DrainedProjection;
}

const ledger = {
  head: async () => 9,
  changes: async (_tenant: unknown, after: number) => [{ sequence: after + 2, recordedAt: 40 }],
} as unknown as Parameters<typeof projectionStatus>[0];

test("a projection that is behind says by how much, and since when", async () => {
  expect(
    await projectionStatus(
      ledger,
      drained(async () => 5),
      { tenant, now: 100 },
    ),
  ).toEqual({
    name: "text",
    checkpoint: 5,
    behind: 4,
    oldest: 40,
    ratePerSecond: 2,
  });
});

test("one that is up to date asks the log for nothing", async () => {
  const changes = vi.fn<() => never>();
  const status = await projectionStatus(
    { ...ledger, changes },
    drained(async () => 9),
    { tenant, now: 100 },
  );
  expect(status).toEqual({ name: "text", checkpoint: 9, behind: 0, ratePerSecond: 2 });
  expect(changes).not.toHaveBeenCalled();
});

test("one that fails says why and since when, and nothing of what its error quotes", async () => {
  const error = new TypeError("the secret memory");
  const failing = drained(async () => 9, { error, milliseconds: 60 });
  const status = await projectionStatus(ledger, failing, { tenant, now: 100 });
  expect(status).toMatchObject({ checkpoint: 9, failure: { reason: "INTERNAL", since: 40 } });
  expect(JSON.stringify(status)).not.toContain("secret");
  const silent = drained(() => Promise.reject(new LociError("STORE_UNAVAILABLE", { message: "It is gone." })));
  expect(await projectionStatus(ledger, silent, { tenant, now: 100 })).toEqual({
    name: "text",
    ratePerSecond: 2,
    failure: { reason: "STORE_UNAVAILABLE", since: 100 },
  });
});

test("a rate is that of the last 10 to 20 s", () => {
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  try {
    const rate = new AppliedRate();
    rate.add(100);
    expect(rate.perSecond).toBe(10);
    clock.mockReturnValue(10_000);
    expect(rate.perSecond).toBe(10);
    clock.mockReturnValue(15_000);
    rate.add(50);
    expect(rate.perSecond).toBe(10);
    clock.mockReturnValue(20_000);
    expect(rate.perSecond).toBe(5);
    clock.mockReturnValue(60_000);
    expect(rate.perSecond).toBe(0);
  } finally {
    clock.mockRestore();
  }
});
