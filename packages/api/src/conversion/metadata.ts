import { checkMetadataNames, isPlainObject, LociError, type Metadata, type MetadataValue } from "@loci/domain";
import type { Value } from "../gen/loci/v1/filter.ts";
import { valueFromProto, valueToProto } from "./value.ts";
import { writableText } from "./writable-value.ts";

/** Names whose value is `undefined` are left out. @throws LociError `INVALID_METADATA` */
export function metadataToProto(metadata: Metadata, field: string): Map<string, Value> {
  const values = new Map<string, Value>();
  if (!isPlainObject(metadata))
    throw new LociError("INVALID_METADATA", {
      message: `${field} must be a plain object.`,
      field,
      advice: "Pass names with text, numbers or booleans.",
    });
  for (const [name, value] of Object.entries(metadata) as [string, MetadataValue | undefined][])
    if (value !== undefined)
      values.set(
        writableText(name, field, "INVALID_METADATA"),
        valueToProto(value, `${field}.${name.slice(0, 80)}`, "INVALID_METADATA"),
      );
  return values;
}

/** @throws LociError `INVALID_METADATA`, `METADATA_TOO_LARGE` */
export function metadataFromProto(values: ReadonlyMap<string, Value>, field: string): Metadata {
  checkMetadataNames(values.size, field);
  // Not by assignment, which would lose the name __proto__ instead of having the engine refuse it.
  return Object.fromEntries(
    Array.from(values, ([name, value]) => [
      name,
      valueFromProto(value, `${field}.${name.slice(0, 80)}`, "INVALID_METADATA"),
    ]),
  );
}
