import { LociError } from "./error.ts";
import { shownValue } from "./shown-value.ts";

/**
 * A point in time: whole milliseconds since 1970-01-01T00:00:00Z.
 *
 * A plain number, because instants are compared, sorted, copied between threads and written to JSON far more often than
 * they are printed. `date.getTime()` and `Date.now()` give one.
 */
export type Instant = number;

/** The largest distance from 1970 that a JavaScript `Date` can show, in milliseconds. */
const furthestInstant = 8.64e15;

/**
 * Checks a caller's instant.
 *
 * @param field where the value stood, for the error message, such as `createdAt`
 * @throws LociError `INVALID_INSTANT` for NaN, infinities, fractions and dates no calendar can show
 */
export function parseInstant(value: unknown, field: string): Instant {
  if (typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) <= furthestInstant)
    // A zero has no sign.
    return value + 0;
  throw new LociError("INVALID_INSTANT", {
    message: `${field} must be whole milliseconds since 1970 (as Date.now() gives), but is ${shownValue(value)}.`,
    field,
    advice: "Pass Date.now() or new Date(…).getTime().",
  });
}
