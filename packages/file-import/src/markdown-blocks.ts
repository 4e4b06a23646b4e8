import MarkdownIt, { type Token } from "markdown-it";

/** A block of a Markdown document that lies in no other block. */
export interface Block {
  /** `aside` for what says nothing: rules, HTML and definitions of links. */
  readonly kind: "heading" | "text" | "table" | "aside";
  /** 1 to 6 for headings, else 0. */
  readonly level: number;
  /** The document's own text, without what is empty before and behind it; code keeps its indentation. */
  readonly source: string;
}

/** Marks of quotes and lists that stand farther to the right begin nothing: nobody writes them. In UTF-16 units. */
const deepestMark = 40;
/** Longer headings are shown as they are written: emphasis takes the parser time in the square of its marks. */
const longestRead = 300;
// More than so many marks can open: at its own limit the parser leaves out the rest of the document.
const limits = { maxNesting: 3 * deepestMark };

const blockParser = new MarkdownIt("commonmark").set(limits).enable("table");
// What is in a paragraph or a heading says nothing about blocks.
blockParser.core.ruler.enableOnly(["block"]);
const headingParser = new MarkdownIt("commonmark").set(limits);

/** The blocks of a document, in its order. Takes time linear in its length. */
export function blocksOf(document: string): readonly Block[] {
  const read = flattened(document.replaceAll("\r\n", " \n").replaceAll("\r", "\n"));
  // As long as the document, character by character: a place in the one is the same place in the other.
  const starts = lineStarts(read);
  return blockParser.parse(read, {}).flatMap((token) => {
    const { type, tag, level, map } = token;
    if (level > 0 || map === null) return [];
    const start = starts[map[0]] ?? 0;
    const source = filledPart(document.slice(start, starts[map[1]]), type === "code_block");
    return [{ kind: kindOf(type), level: type === "heading_open" ? Number(tag.slice(1)) : 0, source }];
  });
}

/** The text of a heading, without its marks and those of emphasis, links and code. */
export function headingText(source: string): string {
  if (source.length > longestRead) return source.replace(/^#{1,6}[ \t]+/, "");
  return headingParser.parse(source, {}).map(textOf).join("");
}

const asides: ReadonlySet<string> = new Set(["hr", "html_block", "reference_definition"]);

function kindOf(type: string): Block["kind"] {
  if (type === "heading_open") return "heading";
  if (type === "table_open") return "table";
  return asides.has(type) ? "aside" : "text";
}

function textOf({ type, children, content }: Token): string {
  if (type === "softbreak" || type === "hardbreak") return "\n";
  return children === null ? content : children.map(textOf).join("");
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  starts.push(text.length);
  return starts;
}

function filledPart(text: string, isCode: boolean): string {
  let end = text.length;
  while (end > 0 && " \t\r\n".includes(text.charAt(end - 1))) end--;
  if (isCode) return text.slice(0, end);
  let start = 0;
  while (start < end && " \t".includes(text.charAt(start))) start++;
  return text.slice(start, end);
}

/** The document, with marks that are too deep made letters: each line is read once for every block that it lies in. */
function flattened(document: string): string {
  return document.replaceAll(farMarks, (marks, at: number) => {
    const next = document.charAt(at + marks.length);
    const isRule = (next === "" || next === "\n") && rule.test(marks);
    return isRule ? marks : marks.slice(0, deepestMark) + marks.slice(deepestMark).replaceAll(opening, "x");
  });
}

const rule = /^(?:[-\s]+|[*\s]+)$/;
/** What lines begin with that have marks of quotes and lists, or what looks like them, that far to the right. */
const farMarks = new RegExp(String.raw`^[ \t>\-+*\d.)]{${deepestMark},}`, "gm");
/** What opens a quote or an item of a list; the end of a comment does not. */
const opening = /(?<!-)>|[-+*.)](?=[ \t]|$)/g;
