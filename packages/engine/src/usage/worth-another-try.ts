import { LociError } from "@loci/domain";

/** Whether a language model that has failed may answer when it is asked at once again: not where its server wants to be left alone. */
export function isWorthAnotherTry(error: unknown): boolean {
  return isUnavailable(error) && error.details["retryAfterMilliseconds"] === undefined;
}

/** Whether a language model has given no usable answer, for a reason that may pass. */
export function isUnavailable(error: unknown): error is LociError {
  return LociError.is(error) && error.reason === "LANGUAGE_MODEL_UNAVAILABLE";
}
