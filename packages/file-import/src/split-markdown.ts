import { frontMatter } from "./front-matter.ts";
import { blocksOf, headingText } from "./markdown-blocks.ts";

/** Longest piece in UTF-16 units: about 400 tokens of English, so that a piece is recalled whole. */
const maxPieceLength = 1600;

/** Lines that say something of the document and nothing of its subject, such as `Status: accepted, November 2026`. */
const metadataLine =
  /^[\s*_>-]*(?:status|date|dates?|author|authors|deciders?|owners?|tags?|version|created|updated|last updated|reviewers?)\b[\s*_]*:.*$/iu;

/**
 * Splits a Markdown document into pieces worth remembering on their own: one a section (headings of level 1 to 3), longer
 * ones cut between paragraphs. Each begins with the headings it stands under, so that it makes sense alone; the text is
 * the document's own. Front matter is left out, and so are sections without text, or with nothing but lines such as
 * `Status: accepted`.
 */
export function splitMarkdown(document: string): readonly string[] {
  const source = document.replace(frontMatter, "");
  const pieces: string[] = [];
  const headings: string[] = [];
  let blocks: string[] = [];
  let length = 0;

  const finishPiece = (): void => {
    if (blocks.some((block) => !isMetadata(block)))
      pieces.push([headings.filter(Boolean).join(" › "), ...blocks].filter(Boolean).join("\n\n"));
    blocks = [];
    length = 0;
  };
  for (const block of blocksOf(source)) {
    if (block.kind === "heading" && block.level <= 3) {
      finishPiece();
      headings.length = block.level - 1;
      headings[block.level - 1] = headingText(block.source);
      continue;
    }
    if (block.kind === "aside") continue;
    for (const part of cutLongBlock(block.source)) {
      if (length > 0 && length + part.length > maxPieceLength) finishPiece();
      blocks.push(part);
      length += part.length;
    }
  }
  finishPiece();
  return pieces;
}

function isMetadata(block: string): boolean {
  return block.split("\n").every((line) => metadataLine.test(line));
}

/** Cuts a block at line ends, and a line that is too long at a space. */
function cutLongBlock(block: string): readonly string[] {
  const parts: string[] = [];
  let rest = block;
  while (rest.length > maxPieceLength) {
    const window = rest.slice(0, maxPieceLength);
    const end = [window.lastIndexOf("\n"), window.lastIndexOf(" ")].find((index) => index > 0) ?? maxPieceLength - 1;
    // Never between the halves of a surrogate pair.
    const cut = /[\ud800-\udbff]/u.test(rest.charAt(end)) ? end : end + 1;
    parts.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut);
  }
  if (rest.trim() !== "") parts.push(rest);
  return parts;
}
