import { LociError } from "@loci/domain";
import { blockEntry } from "./block-value.ts";
import { linesOf, trimmed } from "./block-white-space.ts";

const heading = /^##? /;

/**
 * A core memory with `- text` as the last line below a heading. Nothing changes when the line is there.
 *
 * @param title the heading's, compared trimmed and in lower case
 * @throws LociError `INVALID_BLOCK` when no heading is called so, `INVALID_TEXT` for a text that shows nothing
 */
export function promotedLine(document: string, title: string, text: string): string {
  const entry = blockEntry(text, "text");
  if (entry === "")
    throw new LociError("INVALID_TEXT", {
      message: "text is empty or only white space.",
      field: "text",
      advice: "Pass a text that says something.",
    });
  const lines = linesOf(document);
  const wanted = trimmed(title).toLowerCase();
  const start = lines.findIndex((line) => heading.test(line) && titleOf(line) === wanted);
  if (start < 0)
    throw new LociError("INVALID_BLOCK", {
      message: "The core memory has no such heading.",
      field: "heading",
      advice: "Pass one of its headings, or add it to the document first.",
    });
  const next = lines.findIndex((line, index) => index > start && heading.test(line));
  let end = next < 0 ? lines.length : next;
  if (lines.slice(start, end).includes(`- ${entry}`)) return document;
  while (end > start + 1 && trimmed(lines[end - 1] as string) === "") end--;
  return lines.toSpliced(end, 0, `- ${entry}`).join("\n");
}

/**
 * A core memory without one of its lines, and the text of that line, to be made a memory.
 *
 * @param line as it stands there, or without its bullet
 * @throws LociError `INVALID_BLOCK` when there is no such line, or it is a heading
 */
export function demotedLine(document: string, line: string): { readonly document: string; readonly text: string } {
  const lines = linesOf(document);
  const wanted = textOf(line);
  const place = wanted === "" ? -1 : lines.findIndex((other) => !heading.test(other) && textOf(other) === wanted);
  if (place >= 0) return { document: lines.toSpliced(place, 1).join("\n"), text: wanted };
  throw new LociError("INVALID_BLOCK", {
    message: "The core memory has no such line.",
    field: "line",
    advice: "Pass a line of the document that is no heading.",
  });
}

function titleOf(line: string): string {
  return trimmed(line.replace(heading, "")).toLowerCase();
}

function textOf(line: string): string {
  const text = trimmed(line);
  return text.startsWith("- ") || text.startsWith("* ") ? trimmed(text.slice(2)) : text;
}
