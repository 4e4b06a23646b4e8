import { queryObjects } from "node:v8";
import type { Ledger } from "@loci/ledger";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProjectionDrainer } from "../src/projections/projection-drainer.ts";
import { everything } from "./support/test-engine.ts";

const { tenant } = everything;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("who waits for a projection that another server brings forward leaves nothing behind", async () => {
  let checkpoint = 0;
  const drainer = new ProjectionDrainer({
    ledger: { head: async () => 1, lease: async () => undefined } as unknown as Ledger,
    projection: {
      name: "shared",
      families: ["memories"],
      isDurable: true,
      apply: () => Promise.reject(new Error("Another server does.")),
      checkpoint: async () => checkpoint,
    },
    reportProblem: (error) => {
      throw error;
    },
  });
  const waited = drainer.reach(tenant, 1, undefined);
  const promises = async (milliseconds: number): Promise<number> => {
    await vi.advanceTimersByTimeAsync(milliseconds);
    return queryObjects(Promise, { format: "count" });
  };
  const before = await promises(100);
  expect(await promises(10_000)).toBeLessThan(before + 100);
  checkpoint = 1;
  await vi.advanceTimersByTimeAsync(100);
  await waited;
  await drainer.close();
});
