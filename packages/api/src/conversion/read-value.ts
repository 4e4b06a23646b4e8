import { LociError } from "@loci/domain";

/** @throws LociError `INVALID_REQUEST` when the message is missing */
export function required<Message>(message: Message | undefined, field: string): Message {
  if (message !== undefined) return message;
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is missing.`,
    field,
    advice: `Set ${field}: it is required.`,
  });
}

/** @throws LociError `INVALID_NUMBER` for a number that JavaScript cannot hold exactly */
export function int64FromProto(value: bigint, field: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new LociError("INVALID_NUMBER", {
    message: `${field} is ${value}, which is beyond 2^53 - 1.`,
    field,
    advice: "Pass a whole number below 2^53.",
  });
}

export function optionalInt64FromProto(value: bigint | undefined, field: string): number | undefined {
  return value === undefined ? undefined : int64FromProto(value, field);
}

/** `undefined` for an empty list: the wire cannot tell it from none. */
export function nonEmptyList<Element>(list: readonly Element[]): readonly Element[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** A copy without the fields that are `undefined`, in the same order: what a caller sees has no empty fields. */
export function withoutUndefined<Fields extends object>(fields: Fields): Fields {
  const present: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) present[name] = value;
  return present as Fields;
}
