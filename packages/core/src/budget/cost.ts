import { LociError, type ModelTokens } from "@loci/domain";
import type { ModelPrices } from "../tokens/resolved-model.ts";
import { checkTokenAmount } from "./token-amount.ts";

/** What tokens cost, per million. */
export type TokenPrices = Pick<ModelPrices, "input" | "cachedInput" | "output">;

/** A millionth of a millionth of a dollar: a token's price in these is a whole number. */
export type Picodollars = bigint;

const picodollarsPerTenThousandth = 100_000_000n;

/**
 * The cost of a model call in US dollars, rounded half up to four decimals.
 *
 * @param tokens `cachedInputTokens` are part of `inputTokens`
 * @throws LociError `INVALID_BUDGET` naming the field
 */
export function costOf(tokens: ModelTokens, prices: TokenPrices): number {
  return toDollars(exactCostOf(tokens, prices));
}

/** Input, cached input included, and output apart, and both together. US dollars, each rounded half up to four decimals. */
export interface CallCost {
  readonly inputCost: number;
  readonly outputCost: number;
  readonly cost: number;
}

/** {@link costOf} with its parts. @throws LociError `INVALID_BUDGET` naming the field */
export function callCostOf(tokens: ModelTokens, prices: TokenPrices): CallCost {
  const { input, output } = costPartsOf(tokens, prices);
  return { inputCost: toDollars(input), outputCost: toDollars(output), cost: toDollars(input + output) };
}

/** What input, cached input included, and output cost apart. */
export interface CostParts {
  readonly input: Picodollars;
  readonly output: Picodollars;
}

/** {@link costOf} before rounding, so that many calls can be added up exactly. */
export function exactCostOf(tokens: ModelTokens, prices: TokenPrices): Picodollars {
  const { input, output } = costPartsOf(tokens, prices);
  return input + output;
}

/** The parts of {@link exactCostOf}. @throws LociError `INVALID_BUDGET` naming the field */
export function costPartsOf(tokens: ModelTokens, prices: TokenPrices): CostParts {
  const { inputTokens, outputTokens, cachedInputTokens } = checkModelTokens(tokens);
  return {
    input:
      BigInt(inputTokens - cachedInputTokens) * pricePerToken(prices.input) +
      BigInt(cachedInputTokens) * pricePerToken(prices.cachedInput),
    output: BigInt(outputTokens) * pricePerToken(prices.output),
  };
}

/** In dollars, rounded half up to four decimals. */
export function toDollars(cost: Picodollars): number {
  return Number((cost + picodollarsPerTenThousandth / 2n) / picodollarsPerTenThousandth) / 10_000;
}

/**
 * Checks what a model call used.
 *
 * @throws LociError `INVALID_BUDGET` naming the field: not a whole number of at least 0, or more cached input than input
 */
export function checkModelTokens(tokens: ModelTokens): ModelTokens & { readonly cachedInputTokens: number } {
  const inputTokens = checkTokenAmount(tokens.inputTokens, "inputTokens");
  const outputTokens = checkTokenAmount(tokens.outputTokens, "outputTokens");
  const cachedInputTokens = checkTokenAmount(tokens.cachedInputTokens ?? 0, "cachedInputTokens");
  if (cachedInputTokens <= inputTokens) return { inputTokens, outputTokens, cachedInputTokens };
  throw new LociError("INVALID_BUDGET", {
    message: `cachedInputTokens is ${cachedInputTokens}, more than the ${inputTokens} tokens of input they are part of.`,
    field: "cachedInputTokens",
    advice: "Pass all input tokens as inputTokens, those from the cache included.",
  });
}

/** Prices have at most six decimals. */
function pricePerToken(dollarsPerMillion: number): Picodollars {
  return BigInt(Math.round(dollarsPerMillion * 1_000_000));
}
