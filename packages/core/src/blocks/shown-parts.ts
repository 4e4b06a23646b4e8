import { blockValue, type BlockValues } from "@loci/domain";
import { onOneLine, trimmed } from "./block-white-space.ts";

/** A string of a block on one line, or the empty text. */
export function shownString(values: BlockValues, field: string): string {
  const value = blockValue(values, field);
  return typeof value === "string" ? trimmed(onOneLine(value)) : "";
}

/** The entries of a list that show something, each on one line. */
export function shownEntries(values: BlockValues, field: string): readonly string[] {
  const value = blockValue(values, field);
  if (!Array.isArray(value)) return [];
  return value.map((entry: string) => trimmed(onOneLine(entry))).filter((entry) => entry !== "");
}

/** `[TAG] parts`, or nothing when none of the parts shows anything. */
export function taggedLine(tag: string, parts: readonly string[], separator: string): readonly string[] {
  const shown = parts.filter((part) => part !== "");
  return shown.length === 0 ? [] : [`[${tag}] ${shown.join(separator)}`];
}
