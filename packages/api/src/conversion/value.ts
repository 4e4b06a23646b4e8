import { type ErrorReason, LociError } from "@loci/domain";
import type { Value } from "../gen/loci/v1/filter.ts";
import { writableText } from "./writable-value.ts";

/** @throws LociError with the given reason, for what is not well-formed text, a number or a boolean */
export function valueToProto(value: string | number | boolean, field: string, reason: ErrorReason): Value {
  switch (typeof value) {
    case "string":
      return { kind: { $case: "text", value: writableText(value, field, reason) } };
    case "number":
      return { kind: { $case: "number", value } };
    case "boolean":
      return { kind: { $case: "boolean", value } };
    default:
      throw new LociError(reason, {
        message: `${field} must be text, a number or a boolean.`,
        field,
        advice: "Turn other values into text.",
      });
  }
}

/** @throws LociError with the given reason, for a value without content */
export function valueFromProto({ kind }: Value, field: string, reason: ErrorReason): string | number | boolean {
  if (kind !== undefined) return kind.value;
  throw new LociError(reason, {
    message: `${field} has no value.`,
    field,
    advice: "Set text, number or boolean. A whole number beyond 9007199254740991 is sent as text, as ids are.",
  });
}
