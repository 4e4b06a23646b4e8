import { describe, expect, test } from "vitest";
import { judge, judgeInTurns, slack } from "../src/gate/judge.ts";
import type { BenchmarkCase } from "../src/measure/benchmark-case.ts";
import { measureCases } from "../src/measure/measure-cases.ts";
import { percentile } from "../src/measure/percentile.ts";
import { referenceWorkload } from "../src/measure/reference-workload.ts";
import { formatTable, formatTime } from "../src/report/format-table.ts";
import { resultsOf } from "../src/report/results.ts";
import { resultsPage } from "../src/report/results-page.ts";

const repeatReference = (name: string, times: number): BenchmarkCase => ({
  name,
  description: `the reference workload, ${times} times`,
  target: { p50: 1 },
  open: () =>
    Promise.resolve({
      run: () => {
        for (let time = 0; time < times; time++) referenceWorkload();
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
});

describe("measuring", () => {
  test("percentiles are values that occurred", () => {
    expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(percentile([5, 1, 4, 2, 3], 0)).toBe(1);
    expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test("work that is the reference has the ratio 1, and three times the work about 3", async () => {
    const cases = [repeatReference("same", 1), repeatReference("thrice", 3)];
    const figures = await measureCases(cases, { rounds: 30, warmMilliseconds: 20 });
    expect(figures[0]?.ratio).toBeGreaterThan(0.7);
    expect(figures[0]?.ratio).toBeLessThan(1.5);
    expect((figures[1]?.ratio ?? 0) / (figures[0]?.ratio ?? 1)).toBeGreaterThan(2);
    const results = resultsOf(cases, figures);
    expect(formatTable(results)).toMatch(/thrice .*missed/u);
    expect(resultsPage(results)).toContain("<title>the reference workload, 3 times</title>");
  });

  test("a page shows how a turn grows with its session, when two lengths were measured", async () => {
    const named = (name: string) => repeatReference(name, 1);
    const pageOf = async (...names: readonly string[]) => {
      const cases = names.map(named);
      return resultsPage(resultsOf(cases, await measureCases(cases, { rounds: 2, warmMilliseconds: 1 })));
    };
    const page = await pageOf("next-turn-100", "next-turn-2000", "next-turn-in-process-500");
    expect(page).toContain("<title>core, 100 turns: ");
    expect(page).toContain("next-turn at 2,000 turns to 100");
    expect(page).not.toContain("loci.assemble");
    expect(await pageOf("next-turn-100")).not.toContain("by its length");
  });

  test("times are printed with their unit", () => {
    expect([0.05, 12.345, 1234, 2.5e6].map(formatTime)).toEqual(["50 ns", "12.3 µs", "1.23 ms", "2.50 s"]);
  });
});

describe("the gate", () => {
  test("a third slower is a regression, and what is within the slack is none", () => {
    expect(judge({ recall: 1 }, { recall: 1.33 })).toMatchObject([{ name: "recall", ratio: 1.33, isRegression: true }]);
    expect(judge({ recall: 1 }, { recall: slack })).toMatchObject([{ isRegression: false }]);
  });

  test("a case that was not measured is a regression", () => {
    expect(judge({ recall: 1 }, { other: 1 })).toMatchObject([{ isRegression: true }]);
    expect(judge({ recall: 1 }, { recall: Number.NaN })).toMatchObject([{ isRegression: true }]);
    expect(judgeInTurns(["recall"], [{ recall: 1 }], [{ other: 1 }])).toMatchObject([{ isRegression: true }]);
  });

  test("in turns with the former code neither a lucky launch of it nor a slow one of today's is a regression, and slower code is", () => {
    const of = (...ratios: readonly number[]): readonly { readonly recall: number }[] =>
      ratios.map((recall) => ({ recall }));
    const isRegression = (formers: readonly number[], todays: readonly number[]): boolean | undefined =>
      judgeInTurns(["recall"], of(...formers), of(...todays))[0]?.isRegression;
    expect(isRegression([0.36, 0.27, 0.34], [0.39, 0.36, 0.37])).toBe(false);
    expect(isRegression([0.34, 0.34], [0.36, 0.7])).toBe(false);
    expect(isRegression([0.34, 0.36, 0.35], [0.47, 0.46, 0.5])).toBe(true);
  });
});
