import { type BlockField, type BlockSchema, type BlockValue, type BlockValues, maxBlockBytes } from "@loci/domain";
import { blockTextError } from "./block-text-error.ts";
import { blockFieldTitle } from "./block-title.ts";
import { isBlankLine, linesOf, trimmed } from "./block-white-space.ts";
import { normalBlockValues } from "./check-block-values.ts";
import { type NumberedLine, readMarkdownField } from "./read-markdown-field.ts";
import { headingBackslashes } from "./write-block-markdown.ts";

/** Escapes can make Markdown longer than its TOML, never twice as long. */
const maxLength = 2 * maxBlockBytes;

/**
 * Reads a block back from Markdown: headings in any order and any case, whatever line breaks and spaces an editor left.
 *
 * @returns the values in normal form
 * @throws LociError `INVALID_BLOCK_TEXT` with the first line that is wrong, also in `details.line`; `INVALID_BLOCK` for half of
 *   a surrogate pair
 */
export function readBlockMarkdown(label: string, schema: BlockSchema, markdown: string): BlockValues {
  if (markdown.length > maxLength)
    throw blockTextError(1, `the text has ${markdown.length} characters, more than the ${maxLength} allowed`);
  const lines = linesOf(markdown.startsWith("\uFEFF") ? markdown.slice(1) : markdown);
  checkFrontMatter(lines, label);
  const sections = sectionsOf(schema, lines);
  const values: Record<string, BlockValue> = {};
  for (const field of schema.fields) {
    const value = readMarkdownField(field, sections.get(field.name) ?? []);
    if (value !== undefined) values[field.name] = value;
  }
  return normalBlockValues(schema, values, "block");
}

function checkFrontMatter(lines: readonly string[], label: string): void {
  const wanted = ["---", `block: ${label}`, "---"];
  for (const [index, expected] of wanted.entries()) {
    const line = lines[index];
    if (line === undefined || !isFrontMatterLine(line, index, label))
      throw blockTextError(index + 1, `it is not "${expected}"`, "Keep the first three lines as they were shown.");
  }
}

function isFrontMatterLine(line: string, index: number, label: string): boolean {
  if (index !== 1) return line.startsWith("---") && withoutBlanks(line) === "---";
  return line.startsWith("block:") && withoutBlanks(line.slice("block:".length)) === label;
}

/** Without spaces and tabs at the ends. */
function withoutBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (text[start] === " " || text[start] === "\t")) start++;
  while (end > start && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(start, end);
}

/** The lines below each heading, by the name of the field, with the backslash of an escaped heading taken off. */
function sectionsOf(schema: BlockSchema, lines: readonly string[]): ReadonlyMap<string, readonly NumberedLine[]> {
  const byTitle = new Map<string, BlockField>();
  for (const field of schema.fields) byTitle.set(comparedTitle(blockFieldTitle(field)), field);
  const sections = new Map<string, NumberedLine[]>();
  let section: NumberedLine[] | undefined;
  for (const [index, text] of lines.entries()) {
    const number = index + 1;
    if (number <= 3) continue;
    const backslashes = headingBackslashes(text);
    if (backslashes === 0) {
      section = [];
      sections.set(fieldOfHeading(byTitle, sections, text, number), section);
    } else if (section !== undefined) section.push({ number, text: backslashes > 0 ? text.slice(1) : text });
    else if (!isBlankLine(text))
      throw blockTextError(number, "it stands before the first heading", "Begin with a heading such as `## Name`.");
  }
  return sections;
}

function fieldOfHeading(
  byTitle: ReadonlyMap<string, BlockField>,
  sections: ReadonlyMap<string, unknown>,
  line: string,
  number: number,
): string {
  const field = byTitle.get(comparedTitle(line.slice("## ".length)));
  const titles = [...byTitle.values()].map(blockFieldTitle).join(", ");
  if (field === undefined)
    throw blockTextError(number, "the heading is no field of the block", `The headings are: ${titles}.`);
  if (sections.has(field.name))
    throw blockTextError(number, `the heading ${blockFieldTitle(field)} stands there twice`, "Keep one of the two.");
  return field.name;
}

function comparedTitle(title: string): string {
  return trimmed(title).toLowerCase();
}
