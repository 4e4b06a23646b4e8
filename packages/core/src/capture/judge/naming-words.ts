import { stopWords } from "../../text/stop-words.ts";
import { isDateWord, isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { rootOf } from "./topics.ts";
import { meaningOf } from "./value-families.ts";

/** What leads to a noun. */
export const determiners: ReadonlySet<string> = new Set("the a an my our his her their this".split(" "));

/** The speaker, unless they are of somebody: `the red team`. */
export const speaking: ReadonlySet<string> = new Set("user team family".split(" "));

/** Which of them it is is told by time alone: `the old reader`. */
const renewed: ReadonlySet<string> = new Set(
  "na nah nope new old current former latest next last whole same own young".split(" "),
);

/** Whether a word may tell which thing is meant. A value is what is told of a thing, and not which one it is. */
export function tellsWhich({ text }: Word): boolean {
  const family = meaningOf(text)?.family;
  return mayName(text) && (family === undefined || distinguishing.has(family) || isOfThings(family));
}

/** `The red team`, `the Volvo`: which of several things it is, as much as what somebody has. */
export function isOfThings(family: string | undefined): boolean {
  return family !== undefined && ofThings.has(family);
}

const ofThings: ReadonlySet<string> = new Set("colour material car computer console camera reader".split(" "));

/** `The left knee`, `the small van` */
const distinguishing: ReadonlySet<string> = new Set("side size explicit".split(" "));

/** Whether a word may be what something is called by, be it a value or not. */
export function mayName(text: string): boolean {
  return (
    text !== "'s" &&
    text !== "user" &&
    !renewed.has(text) &&
    !stopWords.has(text) &&
    !determiners.has(text) &&
    !isNumberWord(text) &&
    !isDateWord(text) &&
    !leadingWords.has(text)
  );
}

/** Roots of the words that tell which thing is meant. */
export function rootsOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.filter(tellsWhich).map(({ text }) => rootOf(text)));
}

/** `The Monday call` is another one than that on Thursdays. */
export function daysOf(words: readonly Word[]): readonly string[] {
  return words.filter(({ text }) => isDateWord(text)).map(({ text }) => rootOf(text));
}

/** Roots of all words that may be what something is called by. */
export function rootsNamedIn(words: readonly Word[]): readonly string[] {
  return words.filter(({ text }) => mayName(text)).map(({ text }) => rootOf(text));
}
