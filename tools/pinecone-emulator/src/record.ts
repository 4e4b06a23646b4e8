import { documentedLimits } from "./documented-limits.ts";
import { Refusal } from "./refusal.ts";

export type Metadata = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface StoredRecord {
  readonly id: string;
  readonly values: readonly number[];
  readonly metadata: Metadata;
}

/** Reads a record as it was sent. @throws Refusal for what the service does not take */
export function readRecord(sent: unknown, dimension: number): StoredRecord {
  const { id, values, metadata = {} } = sent as { id?: unknown; values?: unknown; metadata?: unknown };
  return { id: checkRecordId(id), values: checkValues(values, dimension), metadata: checkMetadata(metadata) };
}

export function checkRecordId(id: unknown): string {
  if (typeof id !== "string" || id === "" || id.length > documentedLimits.recordIdLength || !/^[\x20-\x7e]+$/.test(id))
    throw new Refusal(`A record's id is 1 to ${documentedLimits.recordIdLength} ASCII characters.`);
  return id;
}

export function checkValues(values: unknown, dimension: number): readonly number[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === "number"))
    throw new Refusal("values must be a list of numbers.");
  if (values.length !== dimension)
    throw new Refusal(`Vector dimension ${values.length} does not match the dimension of the index ${dimension}`);
  if (values.every((value) => value === 0))
    throw new Refusal("Dense vectors must contain at least one non-zero value.");
  // The service keeps 32 bits of each.
  return (values as readonly number[]).map(Math.fround);
}

function checkMetadata(metadata: unknown): Metadata {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    throw new Refusal("metadata must be an object.");
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > documentedLimits.metadataBytes)
    throw new Refusal(
      `Metadata size is ${bytes} bytes, which exceeds the limit of ${documentedLimits.metadataBytes} bytes per vector`,
    );
  for (const [key, value] of Object.entries(metadata as Record<string, unknown>)) {
    if (key === "" || key.startsWith("$")) throw new Refusal(`${JSON.stringify(key)} cannot name a metadata field.`);
    const isKnown =
      typeof value === "string" ||
      (typeof value === "number" && Number.isFinite(value)) ||
      typeof value === "boolean" ||
      (Array.isArray(value) && value.every((member) => typeof member === "string"));
    if (!isKnown) throw new Refusal("Metadata value must be a string, number, boolean or list of strings");
  }
  return metadata as Metadata;
}
