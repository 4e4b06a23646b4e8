import type { BudgetCheckRequest } from "@loci/domain";
import { expect, test } from "vitest";
import { checkBudget } from "../../src/index.ts";
import golden from "../golden/budget-check.json" with { type: "json" };

test.each(golden.cases)("golden: $name", ({ in: request, out }) => {
  const { message, ...result } = { message: undefined, ...checkBudget(request as BudgetCheckRequest) };
  expect(result).toEqual(out);
  expect(message === undefined).toBe(out.allowed);
});

test("says by how much it is exceeded", () => {
  expect(
    checkBudget({ maxInputTokens: 1000, systemTokens: 100, conversationTokens: 850, estimatedOutputTokens: 200 }),
  ).toEqual({
    allowed: false,
    remainingInputTokens: 50,
    utilization: 0.95,
    action: "TRIM",
    code: "EXCEEDED",
    message: "Context budget exceeded by 150 tokens (system: 100, conversation: 850). Estimated output: 200.",
  });
});

test("says how full it is when only the margin is breached", () => {
  expect(
    checkBudget({
      maxInputTokens: 1000,
      systemTokens: 100,
      conversationTokens: 845,
      estimatedOutputTokens: 0,
      onExceed: "STOP",
    }),
  ).toMatchObject({
    action: "STOP",
    code: "SAFETY_MARGIN",
    message: "Context approaching limit (95% utilized), safety margin breached. Remaining input: 55 tokens.",
  });
});

test("defaults to 8,192 tokens in, 4,096 out, a tenth free and TRIM", () => {
  expect(checkBudget({ systemTokens: 96, conversationTokens: 4000 })).toEqual({
    allowed: true,
    remainingInputTokens: 4096,
    utilization: 0.5,
  });
  expect(checkBudget({ systemTokens: 97, conversationTokens: 4000 })).toMatchObject({
    code: "EXCEEDED",
    action: "TRIM",
  });
  expect(checkBudget({ systemTokens: 0, conversationTokens: 7373, estimatedOutputTokens: 0 })).toMatchObject({
    code: "SAFETY_MARGIN",
  });
});

test("rounds utilization half up, exactly", () => {
  const utilization = (required: number, maxInputTokens: number): number =>
    checkBudget({ maxInputTokens, systemTokens: required, conversationTokens: 0 }).utilization;
  expect(utilization(1, 2000)).toBe(0.001);
  expect(utilization(2001, 2000)).toBe(1.001);
  expect(utilization(1005, 1_000_000)).toBe(0.001);
  expect(utilization(1499, 1_000_000)).toBe(0.001);
  expect(utilization(1500, 1_000_000)).toBe(0.002);
});

test.each([
  ["maxInputTokens", -1],
  ["maxInputTokens", Number.NaN],
  ["safetyMarginRatio", 1.1],
  ["safetyMarginRatio", -0.1],
  ["safetyMarginRatio", Number.NaN],
  ["systemTokens", -1],
  ["systemTokens", 0.5],
  ["conversationTokens", Number.NaN],
  ["conversationTokens", Infinity],
  ["estimatedOutputTokens", -1],
])("refuses %s = %s", (field, value) => {
  expect(() => checkBudget({ systemTokens: 0, conversationTokens: 0, [field]: value })).toThrow(
    expect.objectContaining({ reason: "INVALID_BUDGET", field }),
  );
});
