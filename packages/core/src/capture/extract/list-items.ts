import type { Sentence } from "./sentences.ts";

const marker = /^(?:[-*+\u2022\u2013]|\(?\d{1,2}[.)]|\(?[a-h]\))\s+(?=\S)/u;

/** `- ceiling height 2.18 m`, `2) no nuts` */
export function isListItem(text: string): boolean {
  return marker.test(text.slice(0, longestMarker));
}

/** In UTF-16 units. */
const longestMarker = 12;

/** An item without its mark. */
export function ofListItem(sentence: Sentence): Sentence {
  const text = sentence.text.replace(marker, "");
  return { ...sentence, text, start: sentence.end - text.length };
}
