import { expect, test } from "vitest";
import { missingSyncCount } from "../src/load/count-syncs.ts";
import { type LoadConfiguration, loadConfigurations } from "../src/load/load-configurations.ts";
import type { LoadReport } from "../src/load/load-report.ts";
import { formatLoad } from "../src/load/load-table.ts";
import { measureConfiguration } from "../src/load/measure-configuration.ts";

test("servers are filled, called and counted", async () => {
  const configuration = loadConfigurations.find(({ name }) => name === "sqlite") as LoadConfiguration;
  const measured = await measureConfiguration(configuration, {
    seconds: 1,
    warmSeconds: 0,
    ratePerSecond: 20,
    firstRate: 20,
    mostRate: 20,
    // Only so that it holds: how quick it is says nothing here.
    p99: 60_000,
    mix: { remember: 3, recall: 1 },
    schedule: "fixed",
    tenants: 4,
    memories: 5,
    skew: 0,
    callerProcesses: 2,
    callsOfKind: 10,
    seed: 1,
    onProgress: () => undefined,
  });
  const [step] = measured.mixed.steps;
  expect(step).toMatchObject({ calls: 19, failed: 0, failures: {} });
  expect(measured.mixed.highest).toBe(step);
  expect(step?.processor.servers).toBeGreaterThan(0);
  expect(step?.processor.callers).toBeGreaterThan(0);
  // A write alone is a transaction, and it waits for the disk.
  const { remember, recall } = measured.kinds;
  expect(remember?.transactions).toBeGreaterThanOrEqual(0.9);
  expect(remember?.statements).toBeGreaterThan(1);
  expect(recall?.statements).toBeGreaterThan(1);
  // Where strace is installed.
  expect(missingSyncCount() === undefined ? remember?.syncs : 1).toBeGreaterThan(0.5);
  const report: LoadReport = {
    time: "2026-01-01T00:00:00.000Z",
    processor: "a processor",
    cores: 2,
    node: "24.0.0",
    loadAverage: [1, 2],
    tenants: 4,
    memoriesOfTenant: 5,
    skew: 0,
    mix: { recall: 1 },
    schedule: "fixed",
    seconds: 1,
    statedP99: 60_000,
    callerProcesses: 2,
    configurations: [measured],
    skipped: [{ name: "another", why: "it is not here" }],
  };
  const table = formatLoad(report);
  expect(table).toContain("highest");
  expect(table).toContain("SKIPPED: another: it is not here.");
});
