import { LociError } from "@loci/loci";
import { type LogFields, placeOf } from "./logger.ts";

/** What the log says of a failure: never its message, which may quote what was stored. */
export function reasonOf(error: unknown): LogFields {
  return LociError.is(error) ? { reason: error.reason } : placeOf(error);
}
