import type { Word } from "./words.ts";

/** `The following year` is a time, and tells when something was. */
const ofTimes: ReadonlySet<string> = new Set(
  "day days night morning afternoon evening week weeks weekend month months spring summer autumn fall winter year years season term monday tuesday wednesday thursday friday saturday sunday".split(
    " ",
  ),
);

/**
 * Whether what it says only comes after it: `We are solving the following issue`, `Our rules are as follows`. What follows a colon
 * in the same sentence is said in it.
 *
 * @param words of the sentence
 */
export function pointsAhead(sentence: string, words: readonly Word[]): boolean {
  const at = words.findIndex(
    ({ text }, place) =>
      (text === "following" && words[place - 1]?.text === "the" && !ofTimes.has(words[place + 1]?.text ?? "")) ||
      (text === "follows" && words[place - 1]?.text === "as"),
  );
  if (at < 0) return false;
  const colon = sentence.lastIndexOf(":");
  return colon < 0 || colon === sentence.trimEnd().length - 1;
}
