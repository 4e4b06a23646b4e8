import type { MaintenanceProgress } from "@loci/domain";
import { expect, test } from "vitest";
import { ProgressMeter } from "../src/calls/maintenance-call.ts";

function meterInto(told: MaintenanceProgress[], signal = new AbortController().signal): ProgressMeter {
  return new ProgressMeter("counting", { signal, onProgress: (progress) => void told.push(progress) });
}

test("a job that is over within a tenth of a second tells of its beginning, its first step and its end", () => {
  const told: MaintenanceProgress[] = [];
  const meter = meterInto(told);
  for (const done of [0, 0, 2, 5, 9, 10]) meter.set(done, 10);
  expect(told.map(({ done }) => done)).toEqual([0, 2, 10]);
  expect(told.map(({ total }) => total)).toEqual([10, 10, 10]);
});

test("the total is never less than what is done, and what was done before does not count for the rate", () => {
  const told: MaintenanceProgress[] = [];
  const meter = meterInto(told);
  meter.set(7, 5);
  meter.add(3, 10);
  expect(told).toMatchObject([
    { activity: "counting", done: 7, total: 7, ratePerSecond: 0 },
    { done: 10, total: 10 },
  ]);
  expect(told[1]?.ratePerSecond).toBeGreaterThan(0);
});

test("a call that is over is told at its next step", () => {
  const told: MaintenanceProgress[] = [];
  const controller = new AbortController();
  const meter = meterInto(told, controller.signal);
  meter.add(1);
  controller.abort();
  expect(() => meter.add(1)).toThrow("cancelled");
  expect(told).toHaveLength(1);
});
