import { type BlockValue, type BlockValues, isPlainObject, LociError } from "@loci/domain";
import type { BlockValue as ProtoBlockValue } from "../gen/loci/v1/block.ts";
import { writableText } from "./writable-value.ts";

const reason = "INVALID_BLOCK";

/** @throws LociError `INVALID_BLOCK` for what no field could hold */
export function blockValueToProto(value: BlockValue, field: string): ProtoBlockValue {
  if (typeof value === "string") return { kind: { $case: "text", value: writableText(value, field, reason) } };
  if (typeof value === "number") return { kind: { $case: "number", value } };
  if (typeof value === "boolean") return { kind: { $case: "boolean", value } };
  if (!Array.isArray(value)) return refuse(field, "is not text, a number, a boolean or a list of strings");
  const entries = (value as readonly string[]).map((entry, index) => writableText(entry, `${field}[${index}]`, reason));
  return { kind: { $case: "entries", value: { entries } } };
}

/** @throws LociError `INVALID_BLOCK` for a value without content */
export function blockValueFromProto(value: ProtoBlockValue | undefined, field: string): BlockValue {
  const kind = value?.kind;
  if (kind === undefined) return refuse(field, "has no value");
  return kind.$case === "entries" ? kind.value.entries : kind.value;
}

/** @throws LociError `INVALID_BLOCK` */
export function blockValuesToProto(values: BlockValues, path: string): Map<string, ProtoBlockValue> {
  if (!isPlainObject(values)) return refuse(path, "must be a plain object");
  const given = Object.entries(values as Readonly<Record<string, BlockValue | null | undefined>>);
  const written: [string, ProtoBlockValue][] = [];
  for (const [name, value] of given)
    if (value !== undefined && value !== null)
      written.push([writableText(name, path, reason), blockValueToProto(value, `${path}.${name.slice(0, 80)}`)]);
  return new Map(written);
}

/** @throws LociError `INVALID_BLOCK` */
export function blockValuesFromProto(values: ReadonlyMap<string, ProtoBlockValue>, path: string): BlockValues {
  return Object.fromEntries(
    Array.from(values, ([name, value]) => [name, blockValueFromProto(value, `${path}.${name.slice(0, 80)}`)]),
  );
}

function refuse(field: string, fault: string): never {
  throw new LociError(reason, {
    message: `${field} ${fault}.`,
    field,
    advice: "Pass values of the types that the block's schema names.",
  });
}
