import { isNumberWord } from "./word-kinds.ts";
import type { Word } from "./words.ts";

const spans: ReadonlySet<string> = new Set(
  "minute minutes min mins hour hours day days week weeks fortnight month months quarter year years".split(" "),
);
const directions: ReadonlySet<string> = new Set("back forward forwards later earlier sooner".split(" "));
const ofSpans: ReadonlySet<string> = new Set("a an one half few couple of by".split(" "));
/** In words: `half an hour`, `by a couple of weeks`. */
const longestSpan = 5;

/**
 * `We pushed the launch back a week`, `half an hour later`: a value that only the one before it tells. Linear in the words.
 */
export function isRelativeValue(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => directions.has(text) && (isSpan(words, index, 1) || isSpan(words, index, -1)));
}

/** Whether a span of time stands behind a place, or before it. */
function isSpan(words: readonly Word[], place: number, step: 1 | -1): boolean {
  let isNamed = false;
  for (let count = 1; count <= longestSpan; count++) {
    const text = words[place + step * count]?.text ?? "";
    if (spans.has(text)) isNamed = true;
    else if (!ofSpans.has(text) && !isNumberWord(text)) return false;
    // Behind the word the span ends with its unit, before it the unit stands first.
    const isWhole = step === 1 ? spans.has(text) : isNamed && !spans.has(text);
    if (isWhole) return true;
  }
  return false;
}
