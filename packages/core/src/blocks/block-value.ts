import { type BlockField, type BlockValue, LociError } from "@loci/domain";
import { linesOf, onOneLine, textOfLines, trimmed } from "./block-white-space.ts";

const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
/** Integers of at most 15 digits are exact in every language. */
const largestInteger = 999_999_999_999_999;

/**
 * One value in the normal form of its field, or `undefined` when nothing is left of it.
 *
 * @throws LociError `INVALID_BLOCK` for a value of another type
 */
export function checkBlockValue(field: BlockField, value: unknown, path: string): BlockValue | undefined {
  switch (field.type) {
    case "string":
      return shownOrNone(onOneLine(checkString(value, path)));
    case "text":
      return textOfLines(linesOf(checkString(value, path))) || undefined;
    case "choice":
      return checkOption(field, shownOrNone(checkString(value, path)), path);
    case "date":
      return checkDate(shownOrNone(checkString(value, path)), path);
    case "integer":
      if (typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= largestInteger) return value + 0;
      throw wrong(path, "a whole number of at most 15 digits");
    case "boolean":
      if (typeof value === "boolean") return value;
      throw wrong(path, "true or false");
    case "list":
      return checkEntries(value, path);
  }
}

/** Whether text is a day of the calendar as `yyyy-mm-dd`. Others are no TOML: readers refuse them, or take the next month. */
export function isBlockDate(text: string): boolean {
  if (!date.test(text)) return false;
  const instant = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** A list entry as it is stored, or the empty text. */
export function blockEntry(value: unknown, path: string): string {
  return trimmed(onOneLine(checkString(value, path)));
}

function checkEntries(value: unknown, path: string): readonly string[] | undefined {
  if (!Array.isArray(value)) throw wrong(path, "a list of strings");
  const entries = value
    .map((entry: unknown, index) => blockEntry(entry, `${path}[${index}]`))
    .filter((entry) => entry !== "");
  return entries.length === 0 ? undefined : entries;
}

function checkOption(field: BlockField, value: string | undefined, path: string): string | undefined {
  const options = field.options ?? [];
  if (value === undefined || options.includes(value)) return value;
  throw wrong(path, `one of ${options.join(", ")}`);
}

function checkDate(value: string | undefined, path: string): string | undefined {
  if (value === undefined || isBlockDate(value)) return value;
  throw wrong(path, "a date as yyyy-mm-dd");
}

function checkString(value: unknown, path: string): string {
  if (typeof value !== "string") throw wrong(path, "a string");
  // TOML and git are UTF-8, which has no half of a surrogate pair.
  if (value.isWellFormed()) return value;
  throw wrong(path, "well-formed text without half of a surrogate pair");
}

function shownOrNone(text: string): string | undefined {
  return trimmed(text) || undefined;
}

function wrong(path: string, expected: string): LociError {
  return new LociError("INVALID_BLOCK", {
    message: `${path} is not ${expected}.`,
    field: path,
    advice: `Pass ${expected}.`,
  });
}
