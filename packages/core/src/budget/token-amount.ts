import { LociError, shownValue } from "@loci/domain";

/**
 * Checks one number of tokens.
 *
 * @throws LociError `INVALID_BUDGET` naming the field, unless the value is a whole number of at least 0
 */
export function checkTokenAmount(value: number, field: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value + 0;
  throw new LociError("INVALID_BUDGET", {
    message: `${field} is ${shownValue(value)}, but must be a whole number of tokens, 0 or more.`,
    field,
    advice: "Round the number, or leave it out to get the default.",
  });
}
