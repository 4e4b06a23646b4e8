// A strict reader of rendered contexts, written from the format and not from the code that renders it. It is the judge of
// the rendering tests: what it does not understand, it refuses.
import { structureIn } from "../rendering/structure-in.ts";
import { unescapeText } from "../../src/index.ts";

export interface ParsedItem {
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface ParsedBlock {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** The application's own text, with the notice behind it. */
  readonly given: string;
  readonly items: readonly ParsedItem[];
}

const opening = /^<([a-z][a-z-]*)((?: [a-z]+="[^"<>\n]*")*)>\n/;
const day = String.raw`\d{4}-\d{2}-\d{2}`;
const knownBlocks = ["system", "project", "task", "history", "knowledge", "procedures", "query"];
const dates = `(?: date="(${day})")?(?: since="(${day})")?(?: until="(${day})")?`;
const outdatedMark = String.raw`(?: outdated="(true|in part|(?:in part )?since ${day})")?`;
const memory = new RegExp(
  String.raw`^<memory(?: source="([^"<>\n]*)"(?: wish-of="(user)")?(?: confidence="([01]\.\d\d)")?${dates}${outdatedMark})?>\n([^]*?)\n</memory>$`,
);
const message = /^\[(system|developer|user|assistant|tool)\]: /;
const summary = /^\[Summary of (?:earlier conversation|turns? \d+(?:-\d+)?)\]:\n/;
const summaryHeadings = [
  "**Context Summary:**",
  "**Key Decisions:**",
  "**Current Task State:**",
  "**Remaining Questions:**",
  "**Tools Used:**",
  "**Files Modified:**",
];

export function parseContext(text: string): readonly ParsedBlock[] {
  const blocks: ParsedBlock[] = [];
  let rest = text;
  while (rest !== "") {
    const found = opening.exec(rest);
    const name = found?.[1] ?? "";
    if (found === null || !knownBlocks.includes(name))
      throw new Error(`No section begins at ${JSON.stringify(rest.slice(0, 80))}`);
    const closing = `\n</${name}>`;
    // An empty list of lines still leaves the closing tag on a line of its own.
    const end = rest.indexOf(closing, found[0].length - 1);
    if (end < 0) throw new Error(`${name} is not closed`);
    blocks.push({
      name,
      attributes: attributesOf(found[2] ?? ""),
      ...contentOf(name, rest.slice(found[0].length, end)),
    });
    rest = rest.slice(end + closing.length);
    if (rest !== "" && !rest.startsWith("\n\n<"))
      throw new Error(`Text behind ${name}: ${JSON.stringify(rest.slice(0, 80))}`);
    rest = rest.slice(2);
  }
  const names = blocks.map(({ name }) => name);
  const expected = knownBlocks.filter((name) => names.includes(name));
  if (names.join() !== expected.join()) throw new Error(`The sections are ${names.join()}`);
  return blocks;
}

function contentOf(name: string, content: string): Pick<ParsedBlock, "given" | "items"> {
  switch (name) {
    case "query":
      return { given: "", items: [item({}, content)] };
    case "history":
      return content === "No previous conversation."
        ? { given: content, items: [] }
        : { given: "", items: messages(content) };
    case "knowledge":
      return content === "No relevant context found."
        ? { given: content, items: [] }
        : { given: "", items: memories(content) };
    case "procedures":
      return procedures(content);
    default: {
      const first = content.search(/^<memory[ >]/m);
      return first < 0
        ? { given: content, items: [] }
        : { given: content.slice(0, Math.max(0, first - 1)), items: memories(content.slice(first)) };
    }
  }
}

/** A memory that names no source has what the one before it says of itself. */
function memories(content: string): readonly ParsedItem[] {
  let attributes: ParsedItem["attributes"] | undefined;
  return content.split(/(?<=\n<\/memory>)\n/).map((part) => {
    const [whole, source, wish, confidence, date, since, until, outdated, text = ""] = memory.exec(part) ?? [];
    if (source !== undefined) {
      const others = Object.entries({ "wish-of": wish, confidence, date, since, until, outdated }).filter(
        ([, value]) => value !== undefined,
      );
      attributes = { source: unescapeText(source), ...Object.fromEntries(others) };
    }
    if (whole === undefined || attributes === undefined)
      throw new Error(`Not a memory: ${JSON.stringify(part.slice(0, 200))}`);
    return item(attributes, text);
  });
}

/** Messages, among them at most one summary. */
function messages(content: string): readonly ParsedItem[] {
  const parts = content.split(
    /\n(?=\[(?:system|developer|user|assistant|tool)\]: |\[Summary of (?:earlier conversation|turns? \d+(?:-\d+)?)\]:\n)/,
  );
  if (parts.filter((part) => summary.test(part)).length > 1) throw new Error("There are two summaries");
  return parts.map((part) => {
    const header = summary.exec(part);
    if (header !== null) return summaryItem(part.slice(header[0].length));
    const found = message.exec(part);
    if (found === null) throw new Error(`Not a message: ${JSON.stringify(part.slice(0, 200))}`);
    return item({ role: found[1] ?? "" }, part.slice(found[0].length));
  });
}

/** Headings in their order, each once; below them paragraphs of one line or lists. */
function summaryItem(body: string): ParsedItem {
  const headings = body.split("\n").filter((line) => line.startsWith("**"));
  const inOrder = summaryHeadings.filter((heading) => headings.includes(heading));
  if (headings.join() !== inOrder.join()) throw new Error(`The headings are ${headings.join()}`);
  for (const line of body.split("\n")) if (!headings.includes(line)) item({}, line.replace(/^- /, ""));
  return { attributes: { role: "summary" }, text: unescapeText(body) };
}

function procedures(content: string): Pick<ParsedBlock, "given" | "items"> {
  const [given = "", ...lines] = content.split("\n");
  if (given !== "These are learned behaviors. Follow them.") throw new Error(`Not procedures: ${given}`);
  return {
    given,
    items: lines.map((line) => {
      if (!line.startsWith("- ")) throw new Error(`Not a procedure: ${line}`);
      return item({}, line.slice(2));
    }),
  };
}

function item(attributes: Readonly<Record<string, string>>, escaped: string): ParsedItem {
  const structure = structureIn(escaped);
  if (structure.length > 0) throw new Error(`Structure in an item: ${JSON.stringify(structure)}`);
  return { attributes, text: unescapeText(escaped) };
}

function attributesOf(text: string): Readonly<Record<string, string>> {
  const found = Array.from(
    text.matchAll(/ ([a-z]+)="([^"]*)"/g),
    ([, name = "", value = ""]) => [name, value] as const,
  );
  return Object.fromEntries(found);
}
