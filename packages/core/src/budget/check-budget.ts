import { type BudgetCheck, type BudgetCheckRequest, LociError, shownValue } from "@loci/domain";
import { checkTokenAmount } from "./token-amount.ts";

const defaultMaxInputTokens = 8192;
const defaultEstimatedOutputTokens = 4096;
const defaultSafetyMarginRatio = 0.1;

/**
 * Says whether a model call fits its input budget.
 *
 * required = system + conversation. Allowed when required + estimated output ≤ maximum, and
 * required ≤ maximum − maximum × margin (not rounded).
 *
 * @throws LociError `INVALID_BUDGET` for a negative or fractional number of tokens, or a margin outside 0 to 1
 */
export function checkBudget(request: BudgetCheckRequest): BudgetCheck {
  const maximum = checkTokenAmount(request.maxInputTokens ?? defaultMaxInputTokens, "maxInputTokens");
  const margin = checkRatio(request.safetyMarginRatio ?? defaultSafetyMarginRatio, "safetyMarginRatio");
  const system = checkTokenAmount(request.systemTokens, "systemTokens");
  const conversation = checkTokenAmount(request.conversationTokens, "conversationTokens");
  const output = checkTokenAmount(
    request.estimatedOutputTokens ?? defaultEstimatedOutputTokens,
    "estimatedOutputTokens",
  );
  const required = system + conversation;
  const headroom = maximum - required - output;
  const remainingInputTokens = Math.max(0, maximum - required);
  const utilization = roundedShare(required, maximum, 1000) / 1000;
  if (headroom >= 0 && required <= maximum - maximum * margin) {
    return { allowed: true, remainingInputTokens, utilization };
  }
  const exceeded = headroom < 0;
  return {
    allowed: false,
    remainingInputTokens,
    utilization,
    action: request.onExceed ?? "TRIM",
    code: exceeded ? "EXCEEDED" : "SAFETY_MARGIN",
    message: exceeded
      ? `Context budget exceeded by ${-headroom} tokens (system: ${system}, conversation: ${conversation}). Estimated output: ${output}.`
      : `Context approaching limit (${roundedShare(required, maximum, 100)}% utilized), safety margin breached. Remaining input: ${remainingInputTokens} tokens.`,
  };
}

/** The largest input that {@link checkBudget} allows; below 0 when the output alone is too large. */
export function largestAllowedInput(request: Omit<BudgetCheckRequest, "systemTokens" | "conversationTokens">): number {
  const maximum = request.maxInputTokens ?? defaultMaxInputTokens;
  const margin = request.safetyMarginRatio ?? defaultSafetyMarginRatio;
  const output = request.estimatedOutputTokens ?? defaultEstimatedOutputTokens;
  return Math.min(maximum - output, Math.floor(maximum - maximum * margin));
}

/** part / whole in units of 1 / `units`, rounded half up; 1 when the whole is 0. Integers only, so that .5 is exact. */
function roundedShare(part: number, whole: number, units: number): number {
  if (whole === 0) return units;
  const doubled = 2 * units * part + whole;
  return (doubled - (doubled % (2 * whole))) / (2 * whole);
}

function checkRatio(value: number, field: string): number {
  // A bigint, true and "0.5" compare like numbers.
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new LociError("INVALID_BUDGET", {
    message: `${field} is ${shownValue(value)}, but must be a share from 0 to 1.`,
    field,
    advice: "0.1 keeps a tenth of the input free.",
  });
}
