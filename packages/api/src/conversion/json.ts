import { isPlainObject, LociError } from "@loci/domain";

/** How deep values may be nested. */
const maxDepth = 64;
/** Of a value that is sent as JSON: four times what a turn state may have. */
const mostCharacters = 1_048_576;

/**
 * A value as JSON. What JSON would silently make something else of is refused, as it is in process.
 *
 * @throws LociError `INVALID_REQUEST`
 */
export function jsonToProto(value: unknown, field: string): string {
  checkJson(value, field, 0);
  return JSON.stringify(value);
}

/**
 * @throws LociError `TEXT_TOO_LARGE` before what is too large is read; `INVALID_REQUEST` for what is not JSON, and for what is nested deeper
 *   than can be written again
 */
export function jsonFromProto(json: string, field: string): unknown {
  if (json.length > mostCharacters)
    throw new LociError("TEXT_TOO_LARGE", {
      message: `${field} has more than ${mostCharacters} characters of JSON.`,
      field,
      advice: "Keep less in it.",
    });
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // What was thrown quotes the text, which may hold anything.
    return refuse(field, "is not JSON");
  }
  checkDepth(value, field, 0);
  return value;
}

function checkDepth(value: unknown, field: string, depth: number): void {
  if (depth > maxDepth) refuse(field, `is nested more than ${maxDepth} deep`);
  if (typeof value !== "object" || value === null) return;
  for (const entry of Object.values(value)) checkDepth(entry, field, depth + 1);
}

function checkJson(value: unknown, field: string, depth: number): void {
  if (depth > maxDepth) refuse(field, `is nested more than ${maxDepth} deep`);
  if (value === null || value === undefined || typeof value === "boolean") return;
  if (typeof value === "string")
    return value.isWellFormed() ? undefined : refuse(field, "holds half of a surrogate pair");
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : refuse(field, "holds what is not a number");
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) refuse(field, "holds what is no value of JSON");
  if (isList && value.includes(undefined)) refuse(field, "has an entry that is undefined");
  for (const [name, entry] of Object.entries(value as object)) {
    if (!name.isWellFormed()) refuse(field, "holds half of a surrogate pair");
    checkJson(entry, field, depth + 1);
  }
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} ${problem}.`,
    field,
    advice: "Pass an object of text, numbers, booleans, lists and such objects.",
  });
}
