import { LociError } from "@loci/loci";
import { type LogFields, placeOf } from "./logger.ts";

/** What the log says of a failure: never its message, which may quote what was stored. */
export function reasonOf(error: unknown): LogFields {
  return LociError.is(error) ? { reason: error.reason } : placeOf(error);
}

/**
 * What the log says of a failure that no caller hears of. Where the program is too old for what is stored, also what to do: such
 * messages tell of versions and places, never of what was stored.
 */
export function problemOf(error: unknown): LogFields {
  if (!LociError.is(error) || error.reason !== "DATA_DIRECTORY_TOO_NEW") return reasonOf(error);
  const { reason, message, advice } = error;
  return { reason, message, advice };
}
