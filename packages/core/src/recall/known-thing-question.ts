import { isForAnybody } from "./personal-question.ts";

/** What they stand before is told by them: `the first woman in space`, `the same`. */
const telling: ReadonlySet<string> = new Set(
  "first second third next last most least best worst same only other".split(" "),
);
const superlative = /^\p{L}{3,}est$/u;

/** What follows them tells which one is meant: `the capital of Mongolia`, `the symbol for tungsten`. */
const bounds: ReadonlySet<string> = new Set("of for between in from".split(" "));
/** So many words of a thing may stand between `the` and such a bound: `the boiling point of ethanol`. */
const longestThing = 3;

/** A question says early what it is about. Only so many UTF-16 units are looked at. */
const lookedAt = 1_000;

/**
 * Whether a question in English is about a thing that who asks takes for known: `Why was the migration postponed?`, and neither `What is
 * the capital of Mongolia?`, which tells itself which one is meant, nor `How do I clean the oven?`, which asks what anybody does. Takes
 * time linear in at most 1,000 characters.
 */
export function asksOfKnownThing(question: string): boolean {
  const asked = question.slice(0, lookedAt);
  if (isForAnybody(asked)) return false;
  const words = asked.split(/[^\p{L}\p{N}'\u2019]+/u);
  return words.some(
    (word, index) => word.toLowerCase() === "the" && isKnown(words.slice(index + 1, index + 2 + longestThing)),
  );
}

/** @param words behind `the` */
function isKnown([first = "", ...others]: readonly string[]): boolean {
  // What has a name is known to the world: `the Moon`, `the Berlin Wall`.
  if (!/^\p{Ll}/u.test(first) || telling.has(first) || superlative.test(first)) return false;
  return !others.some((word) => bounds.has(word));
}
