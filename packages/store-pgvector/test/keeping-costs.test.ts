import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeepingAccount, type KeepingCosts, textCosts, vectorCosts } from "../src/kept/keeping-costs.ts";

/** A search of a scope of one size, before which some of its rows have changed. */
interface Search {
  readonly isApart: boolean;
  readonly changed: number;
}

/** As `KeptScopes` does it. */
function spentBy(costs: KeepingCosts, rows: number, searches: readonly Search[]): number {
  let account = new KeepingAccount(costs, 1);
  let isKept = false;
  let spent = 0;
  for (const { isApart, changed } of searches)
    if (isKept) {
      spent += costs.rereading(changed);
      if (account.reread(rows, changed)) continue;
      isKept = false;
      account = new KeepingAccount(costs, 1);
    } else {
      spent += costs.search(rows, isApart);
      account.searched(isApart);
      if (!account.isWorthReading(rows)) continue;
      spent += costs.reading(rows);
      isKept = true;
      account = new KeepingAccount(costs, 1);
    }
  return spent;
}

/** Of whoever knows what comes, and may read the rows or give them up before each search. */
function least(costs: KeepingCosts, rows: number, searches: readonly Search[]): number {
  let [without, keeping] = [0, costs.reading(rows)];
  for (const { isApart, changed } of searches) {
    without = Math.min(without, keeping) + costs.search(rows, isApart);
    keeping = Math.min(keeping + costs.rereading(changed), without + costs.reading(rows));
  }
  return Math.min(without, keeping);
}

const search = (changed: fc.Arbitrary<number>): fc.Arbitrary<Search> => fc.record({ isApart: fc.boolean(), changed });
const size = fc.integer({ min: 0, max: 50_000 });
const someCosts = fc.constantFrom(textCosts, vectorCosts(256), vectorCosts(1_536));

describe("a scope that is kept by what its searches have cost", () => {
  test("costs twice the least at most, however often it is searched", () => {
    fc.assert(
      fc.property(someCosts, size, fc.array(search(fc.constant(0)), { maxLength: 200 }), (costs, rows, searches) => {
        // The search at which as much was spent as reading costs belongs to both.
        const most = 2 * least(costs, rows, searches) + costs.search(rows, false);
        expect(spentBy(costs, rows, searches)).toBeLessThanOrEqual(most);
      }),
      { seed: 11, numRuns: 1_000 },
    );
  });

  test("costs four times the least at most, whatever changes meanwhile", () => {
    const phase = fc.record({
      changed: fc.integer({ min: 0, max: 128 }),
      searches: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(someCosts, size, fc.array(phase, { maxLength: 8 }), (costs, rows, phases) => {
        const searches = phases.flatMap(({ changed, searches: count }) =>
          Array.from({ length: count }, (): Search => ({ isApart: false, changed })),
        );
        const rest = costs.reading(rows) + costs.search(rows, false) + costs.rereading(128);
        expect(spentBy(costs, rows, searches)).toBeLessThanOrEqual(4 * least(costs, rows, searches) + rest);
      }),
      { seed: 12, numRuns: 1_000 },
    );
  });

  test.each([
    ["words of", textCosts, 100, 5, 12],
    ["words of", textCosts, 10_000, 10, 18],
    ["vectors of", vectorCosts(256), 100, 8, 16],
    ["vectors of", vectorCosts(256), 10_000, 5, 12],
  ] as const)("%s many rows are read after a few searches", (_, costs, rows, fewest, most) => {
    const account = new KeepingAccount(costs, 1);
    let searches = 0;
    while (!account.isWorthReading(rows)) {
      searches++;
      account.searched(false);
      account.searched(true);
    }
    expect(searches).toBeGreaterThanOrEqual(fewest);
    expect(searches).toBeLessThanOrEqual(most);
  });
});
