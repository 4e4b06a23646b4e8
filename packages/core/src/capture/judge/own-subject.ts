import { leadingWords } from "../extract/word-kinds.ts";
import { wordsOf } from "../extract/words.ts";
import { topicsOf } from "./facets.ts";

const being: ReadonlySet<string> = new Set("is are was were isn't aren't".split(" "));
/** These are of whatever was spoken of: `the date is 3 July now`. */
const properties: ReadonlySet<string> = topicsOf(
  "date day time place name number address amount total limit deadline version price rest other others answer",
);
/** In words: `the new kitchen table`. */
const longestSubject = 4;

/**
 * What a statement says something of, where it begins with that: `lunch` in `lunch is at 12 now`. Empty where it is the speaker, what a
 * pronoun points to, or something that anything may have.
 */
export function ownSubjectOf(said: string): ReadonlySet<string> {
  const words = wordsOf(said);
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const verb = words.findIndex(({ text }, index) => index > start && being.has(text));
  if (start < 0 || verb < 0 || verb - start > longestSubject) return none;
  const begun = said.slice(words[start]?.start, words[verb]?.start);
  // `Neither, it's out`
  const subject = /[,;:]/.test(begun) ? none : topicsOf(begun);
  return [...subject].some((topic) => properties.has(topic)) ? none : subject;
}

const none: ReadonlySet<string> = new Set();
