import { longestPrefix, type ShortenedText, type TextRoom } from "./shorten-text.ts";

const mark = "...";
const listItem = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/;
const fence = /^\s{0,3}(?:`{3}|~{3})/;
// The root locale, so that the machine's settings do not move a boundary.
const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/**
 * Keeps the whole units a text begins with, then `...`. Units are sentences, list items and lines of code fences; the
 * white space between them is kept. When not even the first fits, the longest prefix is kept instead.
 *
 * Finds the line first in which the room ends, and only then its sentences, because finding sentences takes long.
 */
export function shortenAtSentence(text: string, room: TextRoom): ShortenedText | undefined {
  const lines = lineEnds(text);
  const byLine = lastThatFits(text, lines, { end: text.length, tokens: room.wholeTokens }, room);
  const start = byLine.fitting?.end ?? 0;
  const bySentence = lastThatFits(text, sentenceEnds(text, start, byLine.tooLarge.end), byLine.tooLarge, room);
  const fitting = bySentence.fitting ?? byLine.fitting;
  if (fitting === undefined) return longestPrefix(text, mark, room);
  return { text: text.slice(0, fitting.end) + mark, tokens: fitting.tokens, nextTokens: bySentence.tooLarge.tokens };
}

/** A beginning of the text, with the mark behind it. */
interface Beginning {
  readonly end: number;
  readonly tokens: number;
}

/**
 * The longest beginning that fits, and the shortest known not to, of those that end at one of `ends`. Where to look next
 * is told by how the tokens are spread between the two, so that few beginnings are counted.
 */
function lastThatFits(
  text: string,
  ends: readonly number[],
  whole: Beginning,
  room: TextRoom,
): { readonly fitting: Beginning | undefined; readonly tooLarge: Beginning } {
  let fitting: Beginning | undefined;
  let tooLarge = whole;
  let low = 0;
  let high = ends.findLastIndex((end) => end < whole.end) + 1;
  for (let round = 0; low < high; round++) {
    const { end: lowEnd, tokens: lowTokens } = fitting ?? { end: 0, tokens: 0 };
    const share = (room.maxTokens - lowTokens) / Math.max(1, tooLarge.tokens - lowTokens);
    const wanted = lowEnd + share * (tooLarge.end - lowEnd);
    // Every third look is in the middle: an uneven text cannot make this slow.
    let index = round % 3 === 2 ? (low + high) >> 1 : low;
    if (round % 3 !== 2) while (index + 1 < high && (ends[index + 1] as number) <= wanted) index++;
    const end = ends[index] as number;
    const tokens = room.tokensOf(text.slice(0, end) + mark);
    if (tokens <= room.maxTokens) {
      fitting = { end, tokens };
      low = index + 1;
    } else {
      tooLarge = { end, tokens };
      high = index;
    }
  }
  return { fitting, tooLarge };
}

function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at + 1);
  if (ends.at(-1) !== text.length) ends.push(text.length);
  return ends;
}

/** Where sentences end between two positions, the first of them the start of a line. None in a list item or a fence. */
function sentenceEnds(text: string, start: number, end: number): readonly number[] {
  const line = text.slice(start, end);
  if (listItem.test(line) || fence.test(line) || isInFence(text.slice(0, start))) return [];
  return Array.from(sentences.segment(line), ({ index, segment }) => start + index + segment.length);
}

function isInFence(before: string): boolean {
  if (!before.includes("```") && !before.includes("~~~")) return false;
  let inFence = false;
  for (const line of before.split("\n")) if (fence.test(line)) inFence = !inFence;
  return inFence;
}
