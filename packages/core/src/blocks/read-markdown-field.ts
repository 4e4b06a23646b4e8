import type { BlockField, BlockValue } from "@loci/domain";
import { blockTextError } from "./block-text-error.ts";
import { isBlockDate } from "./block-value.ts";
import { isBlankLine, trimmed } from "./block-white-space.ts";

/** A line of a field, with its number in the text. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

const integer = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The value that stands below a field's heading, or `undefined` when nothing does.
 *
 * @throws LociError `INVALID_BLOCK_TEXT` with the line
 */
export function readMarkdownField(field: BlockField, lines: readonly NumberedLine[]): BlockValue | undefined {
  if (field.type === "text") return lines.map(({ text }) => text).join("\n");
  const shown = lines.filter(({ text }) => !isBlankLine(text));
  if (field.type === "list") return shown.map(entryOf);
  const [line, second] = shown;
  if (second !== undefined)
    throw blockTextError(second.number, "the field has one line", "Join the lines, or remove all but one.");
  return line === undefined ? undefined : valueOfLine(field, trimmed(line.text), line.number);
}

function entryOf({ number, text }: NumberedLine): string {
  if (text.startsWith("- ") || text.startsWith("* ")) return text.slice(2);
  const bullet = trimmed(text);
  if (bullet === text && (bullet === "-" || bullet === "*")) return "";
  throw blockTextError(number, "it is no entry of a list", "Begin each entry with a hyphen and a space.");
}

function valueOfLine(field: BlockField, text: string, number: number): BlockValue {
  switch (field.type) {
    case "integer":
      if (integer.test(text)) return Number(text);
      throw blockTextError(number, "it is no whole number of at most 15 digits");
    case "boolean":
      if (text === "true" || text === "false") return text === "true";
      throw blockTextError(number, "it is neither true nor false");
    case "date":
      if (isBlockDate(text)) return text;
      throw blockTextError(number, "it is no date as yyyy-mm-dd");
    case "choice":
      if (field.options?.includes(text) === true) return text;
      throw blockTextError(number, `it is none of ${(field.options ?? []).join(", ")}`);
    default:
      return text;
  }
}
