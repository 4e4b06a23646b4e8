import type { BlockSchema, BlockValues } from "@loci/domain";

/** A schema of the golden cases: the fields alone. JSON is typed more widely than it is. */
export function goldenSchema(label: string, fields: unknown): BlockSchema {
  return { name: label, fields: fields as BlockSchema["fields"] };
}

export function goldenValues(values: unknown): BlockValues {
  return values as BlockValues;
}
