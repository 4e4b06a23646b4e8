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

const behindEnd =
  /[.!]\s{1,3}(?:always|never|ever|(?:every|each) (?:single )?time|everywhere|throughout)(?: please| pls)?[.!]{0,3}$/iu;

/** `No contractions in letters. Ever.` */
export function endsWithStandingTail(text: string): boolean {
  return behindEnd.test(text.slice(-longestEnd));
}

/** In UTF-16 units. */
const longestEnd = 40;

/** In UTF-16 units: what stands before a longer text says for itself how long it holds. */
const longestJoined = 240;

/** Says nothing without the rule before it: `Don't touch the lock files by yourself. Ask first.` */
const ofRule =
  /^(?:(?:(?:so|always|please),? )?ask (?:me |us |him |her )?(?:first|before)|full stop|period|no exceptions|end of (?:story|discussion))[.!]{0,3}$/iu;

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
      (isStandingTail(wordsOf(clause)) || ofRule.test(sentence.text));
    if (isJoined) joined.pop();
    joined.push(
      isJoined ? { text: text.slice(before.start, sentence.end), start: before.start, end: sentence.end } : sentence,
    );
  }
  return joined;
}
