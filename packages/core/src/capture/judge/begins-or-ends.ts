import { isDateWord, isNumberWord } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";

const beginning: ReadonlySet<string> = new Set(
  "opens open starts start begins begin leaves leave departs depart".split(" "),
);
const ending: ReadonlySet<string> = new Set(
  "closes close shuts finishes finish ends end arrives arrive lands land".split(" "),
);
/** Verbs that tell when something begins or ends, and are no nouns. */
export const toldAspects: ReadonlySet<string> = new Set(
  "opens starts begins leaves departs closes shuts finishes ends arrives lands".split(" "),
);

/** Whether a text tells when something begins or when it ends: `the shop opens at 9`. `Breakfast is at 7` tells when it begins. */
export function aspectOf(words: readonly Word[]): "begins" | "ends" | undefined {
  const isTimed = (index: number): boolean => {
    const [next, second] = [words[index + 1], words[index + 2]];
    return next !== undefined && second !== undefined && isTiming(next) && saysTime(second);
  };
  // `Stays open until 20:00`
  const isOpenUntil = words.some(
    ({ text }, index) => text === "open" && /^(?:till|until)$/.test(words[index + 1]?.text ?? "") && isTimed(index),
  );
  const has = (verbs: ReadonlySet<string>): boolean =>
    words.some(({ text }, index) => verbs.has(text) && isTimed(index));
  const isAt = words.some(
    ({ text }, index) => /^(?:is|are)$/.test(text) && words[index + 1]?.text === "at" && isTimed(index),
  );
  const [begins, ends] = [isAt || (has(beginning) && !isOpenUntil), isOpenUntil || has(ending)];
  if (begins === ends) return undefined;
  return begins ? "begins" : "ends";
}

const timing: ReadonlySet<string> = new Set("at on in till until from around".split(" "));

/** Whether a word leads to a time: `at 9`. */
export function isTiming({ text }: Word): boolean {
  return timing.has(text);
}

function saysTime({ text }: Word): boolean {
  return isNumberWord(text) || isDateWord(text) || text === "half" || text === "quarter";
}
