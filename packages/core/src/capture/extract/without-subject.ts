import { isFinite } from "./finite-verbs.ts";
import { isNumberWord, leadingWords, ownSubjects } from "./word-kinds.ts";
import type { Word } from "./words.ts";

const beforeAmounts: ReadonlySet<string> = new Set(
  "about around roughly approximately maybe only at least most up to".split(" "),
);

/** `About 20 minutes a day`: of what, only the question tells. */
export function isBareAmount(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text) && !beforeAmounts.has(text));
  return first !== undefined && isNumberWord(first.text) && !words.some(({ text }) => ownSubjects.has(text));
}

/** `We're down to 110 on Saturdays`: of what, only the question tells. */
export function isChangedAmount(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) =>
      (text === "down" || text === "up") &&
      words[index + 1]?.text === "to" &&
      isNumberWord(words[index + 2]?.text ?? "") &&
      isFinite(words[index - 1]?.text ?? ""),
  );
}

const ofSomething: ReadonlySet<string> = new Set("next last final total".split(" "));
const withoutSubject: ReadonlySet<string> = new Set(
  "costs takes lasts starts begins ends opens closes needs due used".split(" "),
);
/** A longer one says what it is about. In words. */
const longestPart = 9;

/** Whether it says nothing of what it is about: `1.2 ml every morning`, `Next check in July`, `Costs 120 pounds each`, `Due in August`. */
export function isNoSentence(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text))?.text ?? "";
  if (words.length > longestPart || words.some(({ text }) => ownSubjects.has(text))) return false;
  return isBareAmount(words) || ofSomething.has(first) || withoutSubject.has(first) || isForThat(words);
}

/** `Budget for that is 1,100 a month` */
function isForThat(words: readonly Word[]): boolean {
  const [, preposition, pronoun, verb] = words;
  return preposition?.text === "for" && /^(?:that|it|this)$/u.test(pronoun?.text ?? "") && isFinite(verb?.text ?? "");
}
