import type { Sentence } from "./sentences.ts";
import { type Word, wordsOf } from "./words.ts";

const lasting: ReadonlySet<string> = new Set("always never ever throughout everywhere".split(" "));
/** Beside them: `always please`, `every time`, `each and every time`. */
const beside: ReadonlySet<string> = new Set("please and or in every each single time for all of them".split(" "));
/** In words. */
const longestTail = 5;

/** `Ever`, `always please`, `every time`: says for how long what stands beside it holds, and nothing else. */
export function isStandingTail(words: readonly Word[]): boolean {
  if (words.length === 0 || words.length > longestTail) return false;
  const isEachTime = words.some(
    ({ text }, index) => (text === "every" || text === "each") && words[index + 1]?.text === "time",
  );
  return (
    (isEachTime || words.some(({ text }) => lasting.has(text))) &&
    words.every(({ text }) => lasting.has(text) || beside.has(text))
  );
}

/** In UTF-16 units: what stands before a longer text says for itself how long it holds. */
const longestJoined = 240;

/** The sentences of a text, where `No contractions in letters. Ever.` is one. */
export function withStandingTails(sentences: readonly Sentence[], text: string): readonly Sentence[] {
  const joined: Sentence[] = [];
  for (const sentence of sentences) {
    const before = joined.at(-1);
    const [clause = ""] = sentence.text.split(",", 1);
    const isJoined =
      before !== undefined &&
      !before.text.endsWith("?") &&
      sentence.end - before.start <= longestJoined &&
      isStandingTail(wordsOf(clause));
    if (isJoined) joined.pop();
    joined.push(
      isJoined ? { text: text.slice(before.start, sentence.end), start: before.start, end: sentence.end } : sentence,
    );
  }
  return joined;
}
