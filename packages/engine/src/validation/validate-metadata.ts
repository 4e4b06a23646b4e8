import {
  checkMetadataNames,
  isPlainObject,
  LociError,
  maxMetadataBytes,
  type Metadata,
  metadataNamePattern,
  type MetadataValue,
  utf8ByteLength,
} from "@loci/domain";

/**
 * Copies metadata that came from outside: own properties of a plain object, good names, and values that every store and
 * every client gives back unchanged.
 *
 * @throws LociError `INVALID_METADATA`, `METADATA_TOO_LARGE`
 */
export function checkMetadata(value: unknown, field: string): Metadata {
  if (!isPlainObject(value)) return refuse(field, "must be a plain object");
  checkMetadataNames(Object.keys(value).length, field);
  const entries: [string, MetadataValue][] = [];
  for (const [name, single] of Object.entries(value)) {
    const path = `${field}.${name.slice(0, 80)}`;
    if (!metadataNamePattern.test(name)) refuse(path, "is not a good name: a letter, then letters, digits and _");
    if (single === undefined) continue;
    if (!isMetadataValue(single)) refuse(path, "must be well-formed text without NUL, a finite number or a boolean");
    // JSON has no negative zero; a value that changes on the way through a store is none.
    entries.push([name, single === 0 ? 0 : (single as MetadataValue)]);
  }
  const metadata: Metadata = Object.fromEntries(entries);
  const bytes = utf8ByteLength(JSON.stringify(metadata));
  if (bytes > maxMetadataBytes)
    throw new LociError("METADATA_TOO_LARGE", {
      message: `${field} has ${bytes} bytes as JSON, but at most ${maxMetadataBytes} are allowed.`,
      field,
      advice: "Keep large values elsewhere and a reference to them here.",
    });
  return metadata;
}

function isMetadataValue(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_METADATA", {
    message: `${field} ${problem}.`,
    field,
    advice: "Metadata is one level of text, numbers and booleans.",
  });
}
