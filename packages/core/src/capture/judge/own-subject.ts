import { isPastTense } from "../../text/past-tense.ts";
import { leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { topicsOf } from "./topics.ts";

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
  const isNamed = determiners.has(words[start]?.text ?? "");
  const verb = words.findIndex(
    ({ text }, index) => index > start && (being.has(text) || (isNamed && index > start + 1 && isVerb(words, index))),
  );
  if (start < 0 || verb < 0 || verb - start > longestSubject) return none;
  const begun = said.slice(words[start]?.start, words[verb]?.start);
  // `Neither, it's out`, `the bank agreed so it's 23k now`
  const goesElsewhere = words.some(({ text }) => pointing.has(text)) || causes.has(words[start]?.text ?? "");
  const subject = goesElsewhere || /[,;:]/.test(begun) ? none : topicsOf(begun);
  return [...subject].some((topic) => properties.has(topic)) ? none : subject;
}

const pointing: ReadonlySet<string> = new Set("it its that one ones them those".split(" "));
const causes: ReadonlySet<string> = new Set("cause cos cuz coz since".split(" "));
const determiners: ReadonlySet<string> = new Set("the our my".split(" "));
const behindVerb: ReadonlySet<string> = new Set("out to at on in up down from with off over now for by".split(" "));

/** `Moved`, `has`, `comes out` */
function isVerb(words: readonly Word[], index: number): boolean {
  const text = words[index]?.text ?? "";
  if (isPastTense(text) || /^(?:has|have|will)$/u.test(text)) return true;
  return /[a-z]{2}[^s']s$/u.test(text) && behindVerb.has(words[index + 1]?.text ?? "");
}

const none: ReadonlySet<string> = new Set();
