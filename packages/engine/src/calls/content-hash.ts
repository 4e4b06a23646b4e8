import { hash } from "node:crypto";
import type { ContentHash } from "@loci/domain";

/** SHA-256 of a text: what its embeddings of record are kept under. */
export function contentHashOf(text: string): ContentHash {
  return sha256(text) as ContentHash;
}

/** As lower-case hex. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex");
}

/**
 * SHA-256 of a request as the caller sent it. Order of fields and fields that are `undefined` make no difference, as they
 * make none to what the request means.
 */
export function requestHash(request: unknown): string {
  return sha256(JSON.stringify(request, sortedFields) ?? "undefined");
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  // Entries and not an object: a field named `__proto__` or `1` must keep its place and its value.
  return {
    fields: Object.keys(fields)
      .toSorted()
      .map((name) => [name, fields[name]])
      .filter((entry) => entry[1] !== undefined),
  };
}
