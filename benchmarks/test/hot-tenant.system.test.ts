import { expect, test } from "vitest";
import { defaultMix } from "../src/load/call-mix.ts";
import { measureHotTenant } from "../src/load/faults/hot-tenant.ts";
import { type LoadConfiguration, loadConfigurations } from "../src/load/load-configurations.ts";

test("a tenant with 98% of the calls, more than the server can answer, waits for itself and not the others for it", async () => {
  const { alone, beside, hot } = await measureHotTenant({
    configuration: loadConfigurations.find(({ name }) => name === "sqlite") as LoadConfiguration,
    seconds: 4,
    ratePerSecond: 1_000,
    share: 0.98,
    mix: defaultMix,
    tenants: 6,
    memories: 10,
    timeoutMilliseconds: 20_000,
    seed: 4,
  });
  console.log(
    `others alone p99 ${alone.latency.p99} ms, beside it ${beside.latency.p99} ms; it itself p50 ${hot.latency.p50} ms, ${hot.failed} refused`,
  );
  expect(beside.calls).toBeGreaterThan(10);
  expect(beside.calls).toBe(alone.calls);
  expect({ ...alone.failures, ...beside.failures }).toEqual({});
  // What waits behind the hot tenant's own calls waits for seconds. Ratios, as all hold what the machine was at. On a busy one the
  // others take long when they are alone; and what the hot tenant's calls take ends at their deadline.
  expect(beside.latency.p99).toBeLessThan(Math.max(hot.latency.p50 / 2, 1.5 * alone.latency.p99));
}, 120_000);
