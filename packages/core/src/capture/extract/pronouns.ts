import { isNameLike, leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

const pronouns: ReadonlySet<string> = new Set("it she he they them her him that those these this both".split(" "));

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

/** `My cousin does them for free`: what somebody does something with is told by what was asked. */
export function hasPronounForObject(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) => index > 1 && objects.has(text) && !beforeObjects.has(words[index - 1]?.text ?? ""),
  );
}

/** `Run it before every commit`, `and name them with the ticket`: what is ordered is done with what was said before. */
export function ordersWithPronoun(words: readonly Word[]): boolean {
  const [verb, object] = words.filter(({ text }) => !leadingWords.has(text) && text !== "always");
  return verb !== undefined && object !== undefined && objects.has(object.text);
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
