import { CommanderError } from "commander";
import { type ErrorCode, LociError } from "@loci/loci";

/**
 * What the process exits with: 0 done, 1 unexpected, 2 bad input, 3 not found, 4 conflict or precondition,
 * 5 unavailable or too late, 6 not permitted, 130 interrupted.
 */
const exitCodes: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: 2,
  NOT_FOUND: 3,
  ALREADY_EXISTS: 4,
  CONFLICT: 4,
  FAILED_PRECONDITION: 4,
  PERMISSION_DENIED: 6,
  UNAUTHENTICATED: 6,
  RESOURCE_EXHAUSTED: 5,
  UNSUPPORTED: 2,
  UNAVAILABLE: 5,
  DEADLINE_EXCEEDED: 5,
  CANCELLED: 130,
  INTERNAL: 1,
};

/** The exit code an error stands for. `--help` and `--version` end as errors of commander's with exit code 0. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return LociError.is(error) ? exitCodes[error.code] : 1;
}

/** Prints an error for a person, or as one line of JSON, to standard error. */
export function printError(error: unknown, { json }: { readonly json: boolean }): void {
  if (!LociError.is(error)) {
    console.error(error);
    return;
  }
  if (json) console.error(JSON.stringify({ error: error.toJSON() }));
  else {
    console.error(`loci: ${error.message} [${error.reason}]`);
    if (error.advice !== undefined) console.error(`      ${error.advice}`);
  }
}
