import { frontMatter } from "./front-matter.ts";
import { type MarkdownSection, sectionsOf } from "./markdown-sections.ts";
import { columnNames } from "./markdown-table.ts";

/** Longest piece in UTF-16 units: about 400 tokens of English, so that a piece is recalled whole. */
const maxPieceLength = 1600;

/** A table that has more UTF-16 units is cut between its rows: each says something of its own. From 300 to 1,000 it makes little difference. */
const maxTableLength = 600;

/** Lines that say something of the document and nothing of its subject, such as `Status: accepted, November 2026`. */
const metadataLine =
  /^[\s*_>-]*(?:status|date|dates?|author|authors|deciders?|owners?|tags?|version|created|updated|last updated|reviewers?)\b[\s*_]*:.*$/iu;

/**
 * Neighbouring sections of one heading are one piece as long as they have so many UTF-16 units together, about 250 tokens of English:
 * the parts of a short document answer each other's questions. Measured: 600 to 1,400 find the same within two of 100 questions.
 */
const joinedLength = 1000;

/**
 * Splits a Markdown document into pieces worth remembering on their own: one a section (headings of level 1 to 3), where
 * short ones that follow each other under one heading are one piece together, and long ones are cut between paragraphs, long
 * tables between rows.
 * Each begins with the headings it stands under, so that it makes sense alone; the text is the document's own. Front
 * matter is left out, and so are sections without text, or with nothing but lines such as `Status: accepted`.
 */
export function splitMarkdown(document: string): readonly string[] {
  const pieces: string[] = [];
  addPieces(pieces, sectionsOf(document.replace(frontMatter, "")), []);
  return pieces;
}

/** A part of a section: its own text, or a section in it. */
interface Part {
  readonly heading: string;
  readonly blocks: readonly string[];
  /** Whether it goes on with a table, whose rows before are a piece of their own. */
  readonly goesOn?: boolean;
}

/** @param above headings that the section stands under */
function addPieces(pieces: string[], section: MarkdownSection, above: readonly string[]): void {
  const headings = [...above, section.heading];
  let joined: Part[] = [];
  let length = 0;
  const finishPiece = (): void => {
    const [first, ...others] = joined;
    if (first !== undefined && others.length === 0) pieces.push(textOf([...headings, first.heading], first.blocks));
    else if (first !== undefined)
      pieces.push(
        textOf(
          headings,
          joined.flatMap(({ heading, blocks }) => [heading, ...blocks]),
        ),
      );
    joined = [];
    length = 0;
  };
  const add = (part: Part): void => {
    const partLength = lengthOf(part);
    if (part.goesOn === true || (length > 0 && length + partLength > joinedLength)) finishPiece();
    joined.push(part);
    length += partLength;
  };
  for (const stretch of cutBetweenBlocks(section.blocks)) add(stretch);
  for (const inner of section.sections) {
    const whole = wholeOf(inner);
    if (whole === undefined) continue;
    if (lengthOf(whole) <= joinedLength) {
      add(whole);
      continue;
    }
    finishPiece();
    addPieces(pieces, inner, headings);
  }
  finishPiece();
}

function textOf(headings: readonly string[], blocks: readonly string[]): string {
  return [joinHeadings(headings), ...blocks].filter(Boolean).join("\n\n");
}

function joinHeadings(headings: readonly string[]): string {
  return headings.filter(Boolean).join(" › ");
}

function lengthOf({ heading, blocks }: Part): number {
  return blocks.reduce((sum, block) => sum + block.length, heading.length);
}

/** A section with all that is in it; `undefined` when that is nothing worth remembering. */
function wholeOf({ heading, blocks, sections }: MarkdownSection): Part | undefined {
  const inside = sections.flatMap((section) => wholeOf(section) ?? []);
  const own = isWorthRemembering(blocks) ? blocks : [];
  const [only] = inside;
  if (own.length === 0) {
    if (only === undefined) return undefined;
    if (inside.length === 1) return { heading: joinHeadings([heading, only.heading]), blocks: only.blocks };
  }
  return { heading, blocks: [...own, ...inside.flatMap((part) => [part.heading, ...part.blocks])] };
}

/** The blocks of a section in stretches that are no longer than a piece; none where they are not worth remembering. */
function cutBetweenBlocks(blocks: readonly string[]): readonly Part[] {
  const stretches: (Part & { readonly blocks: string[] })[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const block of blocks) {
    const rows = partsOfTable(block);
    if (rows.length > 0) {
      stretches.push(...rows.map((part, index) => ({ heading: "", blocks: [part], goesOn: index > 0 })));
      length = Number.POSITIVE_INFINITY;
      continue;
    }
    for (const part of cutText(block, maxPieceLength)) {
      if (length + part.length > maxPieceLength) {
        stretches.push({ heading: "", blocks: [] });
        length = 0;
      }
      stretches.at(-1)?.blocks.push(part);
      length += part.length;
    }
  }
  return stretches.filter((stretch) => isWorthRemembering(stretch.blocks));
}

/** A long table in parts, each under the names of its columns. Empty for all other blocks. */
function partsOfTable(block: string): readonly string[] {
  const names = columnNames(block);
  // Names as long as that would be most of each part.
  if (names === undefined || block.length <= maxTableLength || names.length > maxTableLength / 2) return [];
  return cutText(block.slice(names.length), maxTableLength - names.length).map((rows) => names + rows);
}

function isWorthRemembering(blocks: readonly string[]): boolean {
  return blocks.some((block) => !isMetadata(block));
}

function isMetadata(block: string): boolean {
  return block.split("\n").every((line) => metadataLine.test(line));
}

/** Cuts a text at line ends, and a line that is too long at a space. */
function cutText(text: string, longest: number): readonly string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const window = rest.slice(0, longest);
    const end = [window.lastIndexOf("\n"), window.lastIndexOf(" ")].find((index) => index > 0) ?? longest - 1;
    // Never between the halves of a surrogate pair.
    const cut = /[\ud800-\udbff]/u.test(rest.charAt(end)) ? end : end + 1;
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut);
  }
  if (rest.trim() !== "") parts.push(rest);
  return parts;
}
