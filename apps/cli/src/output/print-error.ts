import { inspect } from "node:util";
import { CommanderError } from "commander";
import { LociError } from "@loci/domain";
import type { ErrorCode } from "@loci/loci";
import { jsonLine } from "./print-json.ts";
import { printNote } from "./terminal.ts";

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
  if (error instanceof CommanderError) printUsageError(error, json);
  else if (!LociError.is(error)) printNote(inspect(error));
  else if (json) printNote(jsonLine({ error: error.toJSON() }));
  else {
    printNote(`loci: ${error.message} [${error.reason}]`);
    if (error.advice !== undefined) printNote(`      ${error.advice}`);
  }
}

/** For a person commander has printed it already, with the way to the help. */
function printUsageError({ message, exitCode }: CommanderError, json: boolean): void {
  if (!json || exitCode === 0) return;
  const error = new LociError("INVALID_REQUEST", {
    message: message.replace(/^error: /, ""),
    advice: "loci --help shows the commands, loci COMMAND --help the options of one.",
  });
  printNote(jsonLine({ error: error.toJSON() }));
}
