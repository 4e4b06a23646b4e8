import { type ErrorCode, LociError, type LociErrorJson } from "@loci/domain";
import type { StoredJob } from "@loci/ledger";

/** What another try may mend. */
const mendable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "CONFLICT",
  "RESOURCE_EXHAUSTED",
  "UNAVAILABLE",
  "DEADLINE_EXCEEDED",
  "INTERNAL",
]);

/** Why an attempt failed, as it is told: of what was not meant to be told, only that it was. */
export function jobErrorOf(error: unknown): LociError {
  return LociError.is(error)
    ? error
    : new LociError("INTERNAL", { message: "The operation failed unexpectedly.", cause: error });
}

export function canBeMended(error: LociError): boolean {
  return mendable.has(error.code);
}

/** As a job keeps it. */
export function encodeJobError(error: LociError): string {
  return JSON.stringify(error.toJSON());
}

/** Why a job failed the last time, if it did. */
export function errorOfJob({ error }: Pick<StoredJob, "error">): LociError | undefined {
  return error === undefined ? undefined : LociError.fromJSON(JSON.parse(error) as LociErrorJson);
}

/** Its worker died, and it is not carried out again. */
export function jobInterrupted(): LociError {
  return new LociError("JOB_INTERRUPTED", {
    message: "The work was under way when its server stopped, and is not repeated by itself.",
    advice: "See how far it has come, and start it again.",
  });
}
