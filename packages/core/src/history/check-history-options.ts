import { type HistoryOptions, LociError, shownValue } from "@loci/domain";

/** @throws LociError `INVALID_BUDGET` naming the field */
export function checkHistoryOptions({ lastTurns, maxTokens }: HistoryOptions): void {
  checkCount(lastTurns, "history.lastTurns");
  checkCount(maxTokens, "history.maxTokens");
}

function checkCount(value: number | undefined, field: string): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new LociError("INVALID_BUDGET", {
    message: `${field} is ${shownValue(value)}, but must be a whole number of 1 or more.`,
    field,
    advice: "Leave it out for no limit.",
  });
}
