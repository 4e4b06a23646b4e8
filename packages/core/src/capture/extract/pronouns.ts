import { isFinite } from "./finite-verbs.ts";
import { wordGroups } from "./word-groups.ts";
import { isNameLike, isNumberWord, leadingWords, ownSubjects } from "./word-kinds.ts";
import type { Word } from "./words.ts";

const pronouns: ReadonlySet<string> = new Set("it she he they them her him that those these this both".split(" "));
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
  "costs takes lasts starts begins ends opens closes needs".split(" "),
);
/** A longer one says what it is about. In words. */
const longestPart = 9;

/** Whether it says nothing of what it is about: `1.2 ml every morning`, `Next check in July`, `Costs 120 pounds each`. */
export function isNoSentence(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text))?.text ?? "";
  if (words.length > longestPart || words.some(({ text }) => ownSubjects.has(text))) return false;
  return isBareAmount(words) || ofSomething.has(first) || withoutSubject.has(first);
}

/** In words, behind those that only lead to what is said. */
const longestBeforePointing = 4;
const pointed: ReadonlySet<string> = new Set("it that them those these".split(" "));
const naming: ReadonlySet<string> = new Set("the a an my our his her their this these those".split(" "));

/** `I quit that after Easter`, `That I do anyway`: what is meant was said before. */
export function pointsBack(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !leadingWords.has(text)).slice(0, longestBeforePointing);
  const at = said.findIndex(({ text }) => pointed.has(text));
  return at >= 0 && said.slice(0, at).every((word, index) => !naming.has(word.text) && !isNameLike(word, index + 1));
}

const persons: ReadonlySet<string> = new Set("he she his her him".split(" "));

/** Whether it begins with a pronoun for somebody. */
export function isAboutPerson(words: readonly Word[]): boolean {
  return beginsWith(persons, words);
}

/** Whether a name in it may be somebody's. `Rasagiline 1 mg` is nobody. */
export function namesSomebody(words: readonly Word[]): boolean {
  return (
    namesOneOfTheirs(words) ||
    words.some((word, index) => isNameLike(word, index) && !isNumberWord(words[index + 1]?.text ?? ""))
  );
}

/** `my dad`, `Emma's teacher` */
export function namesOneOfTheirs(words: readonly Word[]): boolean {
  return words.some(({ text }) => wordGroups["relation"]?.has(text) === true);
}

/** `My cousin does them for free`: what somebody does something with is told by what was asked. */
export function hasPronounForObject(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) => index > 1 && objects.has(text) && !beforeObjects.has(words[index - 1]?.text ?? ""),
  );
}

const objects: ReadonlySet<string> = new Set("it them".split(" "));
const beforeObjects: ReadonlySet<string> = new Set("of and when if because that so but where".split(" "));

/** Whether the subject is a bare pronoun, so that only what stands before tells what it is about. */
export function isAboutPronoun(words: readonly Word[]): boolean {
  return beginsWith(pronouns, words);
}

/** Behind words that only lead to what is said. */
function beginsWith(some: ReadonlySet<string>, words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text));
  return first !== undefined && some.has(first.text);
}
