import { LociError } from "@loci/client";
import type { CallKind } from "./call-mix.ts";

/** What became of a call. */
export interface CallOutcome {
  readonly kind: CallKind;
  readonly tenant: number;
  /** Milliseconds after the beginning at which it was to be made. */
  readonly at: number;
  /** Milliseconds from then to its answer: what the caller itself was late counts too. */
  readonly took: number;
  /** Milliseconds that the caller was late with making it. */
  readonly late: number;
  /** Absent: it was answered as it should be. */
  readonly failure?: string | undefined;
  /** What was said where the reason tells nothing. */
  readonly message?: string | undefined;
}

/** Failures that tell nobody why. All others are reasons of a `LociError`. */
export const unexplained: ReadonlySet<string> = new Set(["NO_ANSWER", "INTERNAL", "UNKNOWN_ERROR"]);

/** What a call was refused with. */
export function failureOf(error: unknown): Pick<CallOutcome, "failure" | "message"> {
  const failure = LociError.is(error) ? error.reason : "UNKNOWN_ERROR";
  return unexplained.has(failure) ? { failure, message: String(error) } : { failure };
}
