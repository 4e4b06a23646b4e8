import { lastGraphemeBoundary } from "../tokens/grapheme-boundary.ts";

/** Most UTF-16 units of a unit: a longer sentence is cut in front of a word. */
const longestUnit = 300;

/**
 * Where the sentences and lines of a text end, in order, the last end being that of the text. White space belongs to the
 * unit before it. Every unit has at most 300 UTF-16 units and splits no grapheme cluster.
 *
 * Reads every character a fixed number of times, whatever the text.
 */
export function unitEnds(text: string): readonly number[] {
  const ends: number[] = [];
  let start = 0;
  let lastSpace = 0;
  for (let position = 0; position < text.length; position++) {
    const unit = text.charCodeAt(position);
    const next = position + 1;
    if (isSpace(unit)) lastSpace = next;
    const endsHere = unit === lineFeed || isFullStop(unit) || (isSpace(unit) && isSentenceEnd(text, position - 1));
    if (endsHere) ends.push((start = next));
    else if (next - start > longestUnit) {
      const cut = lastSpace > start ? lastSpace : lastGraphemeBoundary(text, next);
      // A cluster without end is cut all the same.
      start = cut > start ? cut : next;
      if (start > (ends.at(-1) ?? 0)) ends.push(start);
    }
  }
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

const lineFeed = 0x0a;

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x09 || unit === 0x0d || unit === lineFeed || unit === 0xa0;
}

/** Those of scripts without spaces end a sentence wherever they stand. */
function isFullStop(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f;
}

/** A full stop, also one inside closing quotes or brackets. */
function isSentenceEnd(text: string, last: number): boolean {
  for (let position = last; position >= Math.max(0, last - 2); position--) {
    const character = text.charAt(position);
    if (".!?\u2026".includes(character)) return true;
    if (!"\"')]\u201d\u2019".includes(character)) return false;
  }
  return false;
}
