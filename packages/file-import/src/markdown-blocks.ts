import { fromMarkdown } from "mdast-util-from-markdown";
import { toString } from "mdast-util-to-string";

/** A block of a Markdown document; what is inside of a paragraph or a heading is not read. */
export type Block = ReturnType<typeof fromMarkdown>["children"][number];

/** Quotes and lists within each other on one line. Deeper ones are text: nobody writes them. */
const deepest = 50;

/** Longer headings are shown as they are written. */
const longestRead = 300;

/**
 * Emphasis, links and code within a paragraph say nothing about blocks, and the parser takes time in the square of how many
 * of them begin.
 */
const inlineConstructs = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
];

/** The blocks of a document, whose positions are those of the document. Takes time linear in its length. */
export function blocksOf(document: string): readonly Block[] {
  return fromMarkdown(flattened(document), { extensions: [{ disable: { null: inlineConstructs } }] }).children;
}

/** The text of a heading, without its marks and those of emphasis, links and code. */
export function headingText(source: string): string {
  const [heading] = source.length > longestRead ? blocksOf(source) : fromMarkdown(source).children;
  return heading === undefined ? "" : toString(heading);
}

/** The document, with what is too deep made other characters, as many: the parser takes time in the square of the depth. */
function flattened(document: string): string {
  let result = "";
  let from = 0;
  for (const { 0: line, index } of document.matchAll(deepLines)) {
    if (rule.test(line)) continue;
    let at = 0;
    for (let depth = 0; depth < deepest; depth++) at = endOfMarker(line, at);
    result += document.slice(from, index + at) + "x".repeat(line.length - at);
    from = index + line.length;
  }
  return result + document.slice(from);
}

const rule = /^(?:[-\s]+|[*\s]+)$/;
/** Lines that begin with more marks of quotes and lists than are read. */
const deepLines = new RegExp(String.raw`^[ \t]*(?:>[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+){${deepest},}[^\r\n]*`, "gmu");

function endOfMarker(line: string, start: number): number {
  let at = start;
  while (" \t".includes(line.charAt(at))) at++;
  while (/\d/.test(line.charAt(at))) at++;
  at++;
  while (at < line.length && " \t".includes(line.charAt(at))) at++;
  return at;
}
