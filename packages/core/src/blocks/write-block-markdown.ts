import { type BlockSchema, type BlockValue, blockValue, type BlockValues } from "@loci/domain";
import { blockFieldTitle } from "./block-title.ts";

/**
 * A block as Markdown that people edit: front matter with its label, then a heading a field. What looks like a heading
 * inside a value gets a backslash, so that reading it back gives the same values.
 *
 * @param values in normal form
 * @param emptyFields whether fields without a value get their headings too, which mean nothing when it is read back
 */
export function writeBlockMarkdown(
  label: string,
  schema: BlockSchema,
  values: BlockValues,
  { emptyFields = false }: { readonly emptyFields?: boolean | undefined } = {},
): string {
  let markdown = `---\nblock: ${label}\n---\n`;
  for (const field of schema.fields) {
    const value = blockValue(values, field.name);
    if (value === undefined && !emptyFields) continue;
    markdown += `## ${blockFieldTitle(field)}\n`;
    for (const line of linesOfValue(value ?? "")) markdown += `${escapedLine(line)}\n`;
  }
  return markdown;
}

function linesOfValue(value: BlockValue): readonly string[] {
  if (typeof value === "string") return value.split("\n");
  return typeof value === "object" ? value.map((entry) => `- ${entry}`) : [String(value)];
}

/** Whether a line begins with `## `, or with backslashes and then `## `: how many backslashes, else -1. */
export function headingBackslashes(line: string): number {
  let backslashes = 0;
  while (line.charAt(backslashes) === "\\") backslashes++;
  return line.startsWith("## ", backslashes) ? backslashes : -1;
}

function escapedLine(line: string): string {
  return headingBackslashes(line) < 0 ? line : `\\${line}`;
}
