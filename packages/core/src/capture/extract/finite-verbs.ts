import { wordGroups } from "./word-groups.ts";
import type { Word } from "./words.ts";

const subjectsAndVerbs: ReadonlySet<string> = new Set(
  `i we you he she it they there who is are was were am be been has have had do does did will would can could shall should may might must
  isn't aren't wasn't weren't hasn't haven't don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't`.split(
    /\s+/u,
  ),
);

/** Whether one of the words shows that they have a subject and a verb. */
export function hasVerb(words: readonly Word[]): boolean {
  return words.some(({ text }) => isFinite(text));
}

/** Whether a word shows that a clause has a subject and a verb: a pronoun, an auxiliary, or one of both in a contraction. */
export function isFinite(word: string): boolean {
  return subjectsAndVerbs.has(word) || /'(?:s|m|re|ve|ll|d)$/.test(word) || wordGroups["verb"]?.has(word) === true;
}
