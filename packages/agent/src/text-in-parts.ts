/** In UTF-16 units, of at most three bytes each: a turn takes 256 KiB. */
const mostOfPart = 80_000;
/** So far from the end of a part it is looked for a space. */
const nearEnd = 2_000;

/**
 * A text in parts of which a turn can have each. None ends within a character, nor within a word that is not longer than 2,000 units: what looks
 * for secrets reads turns one by one.
 */
export function textInParts(text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

function endOfPart(text: string, start: number): number {
  const most = start + mostOfPart;
  if (most >= text.length) return text.length;
  const end = text.slice(most - nearEnd, most);
  const behindSpace = Math.max(end.lastIndexOf(" "), end.lastIndexOf("\n")) + 1;
  if (behindSpace > 0) return most - nearEnd + behindSpace;
  // Both halves of a character stay together.
  return text.slice(start, most).isWellFormed() ? most : most - 1;
}
