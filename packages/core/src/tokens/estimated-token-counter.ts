import { LociError, shownValue } from "@loci/domain";
import type { TokenCounter } from "./token-counter.ts";

/**
 * Counts for a model whose own tokenizer is not public: another counter's tokens × a safety factor, rounded up.
 *
 * The factor is taken to two decimals, which are also what the id shows: `o200k_base*1.20`.
 *
 * @throws LociError `INVALID_NUMBER` for a factor that is not from 0.01 to 100
 */
export function estimatedTokenCounter(base: TokenCounter, factor: number): TokenCounter {
  // In whole hundredths, because 10 × 1.1 is a little more than 11 in binary fractions and would round up to 12.
  const hundredths = Math.round(factor * 100);
  if (!(hundredths >= 1 && hundredths <= 10_000))
    throw new LociError("INVALID_NUMBER", {
      message: `The safety factor of a token estimate is ${shownValue(factor)}, but must be from 0.01 to 100.`,
      field: "safetyFactor",
      advice: "1.20 counts a fifth more tokens than the tokenizer it is based on.",
    });
  return {
    id: `${base.id}*${(hundredths / 100).toFixed(2)}`,
    estimated: true,
    count: (text) => Math.ceil((base.count(text) * hundredths) / 100),
    // ceil(n × f) ≤ m exactly when n ≤ floor(m / f).
    fit: (text, maxTokens) => base.fit(text, Math.floor((Math.floor(maxTokens) * 100) / hundredths)),
  };
}
