import { type ErrorCode, type ErrorReason, codeOfReason, errorReasons } from "./error-reasons.ts";

/** What a {@link LociError} tells besides its reason. */
export interface ErrorDescription {
  /** What was wrong and where, as one or two sentences with the numbers in them. Never holds memory text or a secret. */
  readonly message: string;
  /** What the reader can do next. */
  readonly advice?: string | undefined;
  /** The input field at fault, as a path: `importance`, `messages[3].content`. */
  readonly field?: string | undefined;
  /** The resource concerned: a memory id, a section name, a file. */
  readonly resource?: string | undefined;
  /** Further values for machines, such as `{ budgetTokens: "500", neededTokens: "712" }`. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** The error underneath. Stays in the process: it never crosses the wire. */
  readonly cause?: unknown;
  /** The kind of failure that a reason of a later version is. Default: what this version knows of the reason. */
  readonly code?: ErrorCode | undefined;
}

/**
 * The one error type of Loci.
 *
 * `code` says what kind of failure it is, `reason` exactly which one, `message` what was wrong and where, `advice` what
 * to do next. It crosses gRPC unchanged, except for `cause`.
 */
export class LociError extends Error {
  override readonly name = "LociError";
  readonly code: ErrorCode;
  /** A server of a later version may give one that this version's type does not have; `code` is one that it has. */
  readonly reason: ErrorReason;
  readonly advice: string | undefined;
  readonly field: string | undefined;
  readonly resource: string | undefined;
  readonly details: Readonly<Record<string, string>>;

  constructor(reason: ErrorReason, description: ErrorDescription) {
    super(description.message, description.cause === undefined ? undefined : { cause: description.cause });
    this.code = description.code ?? codeOfReason(reason);
    this.reason = reason;
    this.advice = description.advice;
    this.field = description.field;
    this.resource = description.resource;
    this.details = description.details ?? {};
  }

  /** The fields that cross a process boundary. Read back with {@link LociError.fromJSON}. */
  toJSON(): LociErrorJson {
    return {
      reason: this.reason,
      code: this.code,
      message: this.message,
      ...(this.advice === undefined ? {} : { advice: this.advice }),
      ...(this.field === undefined ? {} : { field: this.field }),
      ...(this.resource === undefined ? {} : { resource: this.resource }),
      ...(Object.keys(this.details).length === 0 ? {} : { details: this.details }),
    };
  }

  /** Makes the error again on the other side. A reason and a code that this version does not know become `INTERNAL`. */
  static fromJSON(json: LociErrorJson): LociError {
    const isKnown = Object.hasOwn(errorReasons, json.reason);
    if (isKnown || errorCodes.has(json.code))
      return new LociError(json.reason, isKnown ? { ...json, code: undefined } : json);
    return new LociError("INTERNAL", { ...json, code: undefined });
  }

  /** True for a `LociError`, also one made by another copy of this package in the same process. */
  static is(error: unknown): error is LociError {
    return error instanceof Error && error.name === "LociError" && "reason" in error && "code" in error;
  }
}

const errorCodes: ReadonlySet<ErrorCode> = new Set(Object.values(errorReasons));

/** A {@link LociError} as plain data. */
export interface LociErrorJson {
  readonly reason: ErrorReason;
  readonly code: ErrorCode;
  readonly message: string;
  readonly advice?: string;
  readonly field?: string;
  readonly resource?: string;
  readonly details?: Readonly<Record<string, string>>;
}

const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "CONFLICT",
  "FAILED_PRECONDITION",
]);

/** `details` of a failure that lasts until what has failed is opened again, as when a thread has ended: to try again is of no use. */
export const untilOpenedAgain = { lasts: "untilOpenedAgain" } as const;

/** Whether a failure lasts until what has failed is opened again. */
export function lastsUntilOpenedAgain(error: unknown): error is LociError {
  return LociError.is(error) && error.details["lasts"] === untilOpenedAgain.lasts;
}

/** Whether a call was refused for what it asks, or for what is there, and not for who asks or for what fails now and then. */
export function isRefusal(error: unknown): error is LociError {
  return LociError.is(error) && refusals.has(error.code);
}
