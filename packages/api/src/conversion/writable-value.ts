import { checkBoolean, type ErrorReason, LociError } from "@loci/domain";

// What a caller hands over is put on the wire exactly or refused with the reason the engine has for it: protobuf's own
// writers would turn 42 into "42" and half a surrogate pair into U+FFFD. All other rules are the engine's to apply.

/** @throws LociError with the given reason, for what is not text or holds half of a surrogate pair */
export function writableText(value: string, field: string, reason: ErrorReason = "INVALID_TEXT"): string {
  if (typeof value !== "string") return refuse(value, field, reason, "text");
  if (value.isWellFormed()) return value;
  throw new LociError(reason, {
    message: `${field} holds half of a surrogate pair.`,
    field,
    advice: "Cut text between characters, not inside them.",
  });
}

/**
 * Text that is only read, such as a question: halves of surrogate pairs become U+FFFD, as they do in process.
 *
 * @throws LociError with the given reason, for what is not text
 */
export function writablePrompt(value: string, field: string, reason: ErrorReason = "INVALID_TEXT"): string {
  return typeof value === "string" ? value.toWellFormed() : refuse(value, field, reason, "text");
}

/** Any number, NaN included: a double carries all of them. @throws LociError with the given reason */
export function writableDouble(value: number, field: string, reason: ErrorReason = "INVALID_NUMBER"): number {
  return typeof value === "number" ? value : refuse(value, field, reason, "a number");
}

/** @throws LociError with the given reason, for what is not a whole number from -2^31 to 2^31 - 1 */
export function writableInt32(value: number, field: string, reason: ErrorReason = "INVALID_NUMBER"): number {
  return typeof value === "number" && value === (value | 0)
    ? value
    : refuse(value, field, reason, "a whole number below 2^31");
}

/** @throws LociError with the given reason, for what is not a safe integer */
export function writableInt64(value: number, field: string, reason: ErrorReason = "INVALID_NUMBER"): bigint {
  return Number.isSafeInteger(value) ? BigInt(value) : refuse(value, field, reason, "a whole number below 2^53");
}

/** @throws LociError with the given reason, for what is not a list */
export function writableList<Element>(
  value: readonly Element[],
  field: string,
  reason: ErrorReason = "INVALID_REQUEST",
): readonly Element[] {
  return Array.isArray(value) ? (value as readonly Element[]) : refuse(value, field, reason, "a list");
}

export function optionalWritableInt32(value: number | undefined, field: string): number | undefined {
  return optionally(value, field, writableInt32);
}

/** What is the same on both sides. */
export function same<Value>(value: Value): Value {
  return value;
}

/** Passes `undefined` on and checks everything else. */
export function optionally<Value, Written>(
  value: Value | undefined,
  field: string,
  write: (value: Value, field: string) => Written,
): Written | undefined {
  return value === undefined ? undefined : write(value, field);
}

export const writableBoolean: (value: boolean, field: string) => boolean = checkBoolean;

function refuse(value: unknown, field: string, reason: ErrorReason, expected: string): never {
  throw new LociError(reason, {
    message: `${field} must be ${expected}, but is ${typeof value === "number" ? String(value) : kindOf(value)}.`,
    field,
    advice: `Pass ${expected}.`,
  });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `of type ${typeof value}`;
}
