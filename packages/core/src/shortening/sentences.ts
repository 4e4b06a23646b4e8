import { longestPrefix, type TextRoom } from "./shorten-text.ts";

const mark = "...";
const listItem = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/;
const fence = /^\s{0,3}(?:`{3}|~{3})/;
// The root locale, so that the machine's settings do not move a boundary.
const sentences = new Intl.Segmenter("und", { granularity: "sentence" });

/**
 * Keeps the whole units a text begins with, then `...`. Units are sentences, list items and lines of code fences; the
 * white space between them is kept. When not even the first fits, the longest prefix is kept instead.
 */
export function shortenAtSentence(text: string, room: TextRoom): string | undefined {
  const reachable = room.counter.fit(text, room.maxTokens).length;
  const ends = unitEnds(text, reachable);
  for (let index = ends.length - 1; index >= 0; index--) {
    const shortened = text.slice(0, ends[index]) + mark;
    if (room.tokensOf(shortened) <= room.maxTokens) return shortened;
  }
  return longestPrefix(text, mark, room);
}

/** Where the units end that lie wholly in the first `limit` UTF-16 units of a text. */
function unitEnds(text: string, limit: number): number[] {
  const ends: number[] = [];
  let inFence = false;
  let start = 0;
  while (start < limit) {
    const lineBreak = text.indexOf("\n", start);
    const end = lineBreak < 0 ? text.length : lineBreak + 1;
    const line = text.slice(start, end);
    const isFence = fence.test(line);
    if (inFence || isFence || listItem.test(line)) {
      if (end <= limit) ends.push(end);
    } else {
      for (const { index, segment } of sentences.segment(line)) {
        const sentenceEnd = start + index + segment.length;
        if (sentenceEnd > limit) break;
        ends.push(sentenceEnd);
      }
    }
    if (isFence) inFence = !inFence;
    start = end;
  }
  return ends;
}
