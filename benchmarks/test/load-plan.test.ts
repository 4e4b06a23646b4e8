import { expect, test } from "vitest";
import { defaultMix, describeMix, parseMix } from "../src/load/call-mix.ts";
import { findHighestRate } from "../src/load/highest-rate.ts";
import { loadFigures } from "../src/load/load-figures.ts";
import { type LoadPlan, planCalls } from "../src/load/planned-calls.ts";

const plan: LoadPlan = {
  ratePerSecond: 200,
  seconds: 50,
  schedule: "poisson",
  mix: defaultMix,
  tenants: 20,
  skew: 1,
  seed: 7,
};

test("calls are decided beforehand: the same for the same seed, in order, as many as stated", () => {
  const calls = planCalls(plan);
  expect(planCalls(plan)).toEqual(calls);
  expect(planCalls({ ...plan, seed: 8 })).not.toEqual(calls);
  expect(calls.map(({ at }) => at)).toEqual(calls.map(({ at }) => at).toSorted((left, right) => left - right));
  // Ten thousand are expected, with a deviation of a hundred.
  expect(Math.abs(calls.length - 10_000)).toBeLessThan(500);
  // The distances of a Poisson process deviate by as much as they are long.
  const distances = calls.slice(1).map(({ at }, place) => at - (calls[place]?.at ?? 0));
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  const deviation = Math.sqrt(distances.reduce((sum, distance) => sum + (distance - mean) ** 2, 0) / distances.length);
  expect(deviation / mean).toBeGreaterThan(0.9);
  expect(deviation / mean).toBeLessThan(1.1);
});

test("a fixed schedule has one distance", () => {
  const calls = planCalls({ ...plan, schedule: "fixed", seconds: 1 });
  expect(calls.map(({ at }) => Math.round(at))).toEqual(Array.from({ length: 199 }, (_, place) => (place + 1) * 5));
});

test("tenants have shares by their rank, kinds by the mix, and a hot tenant what is stated", () => {
  const calls = planCalls(plan);
  const ofTenant = (tenant: number): number => calls.filter((call) => call.tenant === tenant).length;
  const harmonic = Array.from({ length: 20 }, (_, rank) => 1 / (rank + 1)).reduce((sum, share) => sum + share, 0);
  expect(ofTenant(0) / calls.length).toBeCloseTo(1 / harmonic, 1);
  expect(ofTenant(0) / ofTenant(9)).toBeGreaterThan(7);
  expect(calls.filter(({ kind }) => kind === "recall").length / calls.length).toBeCloseTo(0.6, 1);
  const hot = planCalls({ ...plan, hotShare: 0.99 });
  expect(hot.filter(({ tenant }) => tenant === 0).length / hot.length).toBeGreaterThan(0.98);
});

test("a mix is read, and what cannot be read is named", () => {
  expect(parseMix("recall=3,remember=1")).toEqual({ recall: 3, remember: 1 });
  expect(describeMix({ recall: 3, remember: 1 })).toBe("recall 75%, remember 25%");
  expect(() => parseMix("recall=1,forget=2")).toThrow('"forget=2"');
  expect(() => parseMix("recall=0")).toThrow("no share");
});

test("the highest rate is looked for between what holds and what does not", async () => {
  const tried: number[] = [];
  const search = (bearable: number) =>
    findHighestRate({
      first: 40,
      most: 1_000,
      p99: 100,
      refinements: 3,
      load: (ratePerSecond) => {
        tried.push(ratePerSecond);
        const took = ratePerSecond > bearable ? 101 : 100;
        const outcome = { kind: "recall", tenant: 0, at: 1, took, late: 0 } as const;
        const processor = { servers: 0, database: 0, callers: 0 };
        return Promise.resolve(loadFigures([outcome], { ratePerSecond, seconds: 1, processor }));
      },
    });
  expect((await search(130)).highest?.ratePerSecond).toBe(130);
  expect(tried).toEqual([40, 80, 160, 120, 140, 130]);
  expect((await search(12)).highest?.ratePerSecond).toBe(12);
  expect((await search(5_000)).highest?.ratePerSecond).toBe(1_000);
  expect((await search(0)).highest).toBeUndefined();
});

test("a failure counts by its reason and not in the latency, and answers count until the last one", () => {
  const processor = { servers: 1, database: 2, callers: 3 };
  const figures = loadFigures(
    [
      { kind: "recall", tenant: 0, at: 0, took: 10, late: 1 },
      { kind: "recall", tenant: 0, at: 900, took: 1_100, late: 0 },
      { kind: "turn", tenant: 1, at: 500, took: 5_000, late: 0, failure: "UNAVAILABLE" },
    ],
    { ratePerSecond: 3, seconds: 1, processor },
  );
  expect(figures).toMatchObject({ calls: 3, failed: 1, failures: { UNAVAILABLE: 1 }, answeredPerSecond: 0.36 });
  expect(figures.latency).toEqual({ p50: 10, p99: 1_100, p999: 1_100, longest: 1_100 });
  expect(figures.kinds.turn).toMatchObject({ calls: 1, failed: 1 });
});
