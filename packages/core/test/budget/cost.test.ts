import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callCostOf, costOf, exactCostOf, toDollars } from "../../src/index.ts";

const prices = { input: 2.5, cachedInput: 1.25, output: 10 };
const tokens = fc.integer({ min: 0, max: 1_000_000_000 });

describe("costOf", () => {
  test.each([
    [{ inputTokens: 0, outputTokens: 0 }, 0],
    [{ inputTokens: 1_000_000, outputTokens: 1_000_000 }, 12.5],
    [{ inputTokens: 1_000_000, cachedInputTokens: 1_000_000, outputTokens: 0 }, 1.25],
    [{ inputTokens: 1000, cachedInputTokens: 400, outputTokens: 500 }, 0.007],
    // 0.00005 is rounded up, 0.0000475 is not.
    [{ inputTokens: 20, outputTokens: 0 }, 0.0001],
    [{ inputTokens: 19, outputTokens: 0 }, 0],
  ])("of %j is %d", (used, cost) => {
    expect(costOf(used, prices)).toBe(cost);
  });

  test("is made of an input's and an output's", () => {
    const used = { inputTokens: 1_000_000, cachedInputTokens: 400_000, outputTokens: 100_000 };
    expect(callCostOf(used, prices)).toEqual({ inputCost: 2, outputCost: 1, cost: 3 });
  });

  test("adds up exactly before it is rounded", () => {
    fc.assert(
      fc.property(fc.array(tokens, { minLength: 1 }), (inputs) => {
        const each = inputs.map((inputTokens) => exactCostOf({ inputTokens, outputTokens: 0 }, prices));
        const sum = each.reduce((left, right) => left + right, 0n);
        const inputTokens = inputs.reduce((left, right) => left + right, 0);
        expect(toDollars(sum)).toBe(costOf({ inputTokens, outputTokens: 0 }, prices));
      }),
    );
  });

  test.each([
    ["inputTokens", { inputTokens: -1, outputTokens: 0 }],
    ["outputTokens", { inputTokens: 0, outputTokens: Number.NaN }],
    ["cachedInputTokens", { inputTokens: 1, cachedInputTokens: 2, outputTokens: 0 }],
    ["cachedInputTokens", { inputTokens: 1, cachedInputTokens: 0.5, outputTokens: 0 }],
  ])("refuses %s", (field, used) => {
    expect(() => costOf(used, prices)).toThrow(expect.objectContaining({ reason: "INVALID_BUDGET", field }));
  });
});
