import { type CallOptions, checkFields, checkIdentifier, fieldsOf, LociError, parseInstant } from "@loci/domain";

const callFields = fieldsOf<CallOptions>({ signal: true, deadline: true, requestId: true });

/**
 * A misspelt `requestId` would silently lose its protection, so unknown fields are refused here too.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_INSTANT`, `INVALID_IDENTIFIER`
 */
export function checkCallOptions(options: CallOptions | undefined): void {
  if (options === undefined) return;
  checkFields(options, callFields, "options");
  if (options.signal !== undefined && !(options.signal instanceof AbortSignal))
    throw new LociError("INVALID_REQUEST", {
      message: "options.signal is not an AbortSignal.",
      field: "options.signal",
      advice: "Pass the signal of an AbortController.",
    });
  if (options.deadline !== undefined) parseInstant(options.deadline, "options.deadline");
  if (options.requestId !== undefined) checkIdentifier(options.requestId, "options.requestId");
}
