import { isPastTense } from "../../text/past-tense.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { pairs } from "./changes.ts";
import type { ReadMemory } from "./read-memory.ts";

/** Whether words tell that somebody died. */
export function tellsDeath(words: readonly Word[]): boolean {
  return words.some(({ text }) => text === "died") || pairs(words, "passed", "away");
}

/** In words: `Rex, our dear old dog, died`, `Rex has sadly passed away`. */
const widest = 6;

/** The name of whom words tell that they died, in lower case: the last one before that, unless it is of something they had. */
function whoDied(words: readonly Word[]): string | undefined {
  const end = words.findIndex(({ text }, index) => text === "died" || (text === "passed" && isAway(words, index)));
  const place = words.findLastIndex((word, index) => index < end && end - index <= widest && isNameLike(word, index));
  return place < 0 || words[place + 1]?.text === "'s" ? undefined : words[place]?.text;
}

function isAway(words: readonly Word[], index: number): boolean {
  return words[index + 1]?.text === "away";
}

const present: ReadonlySet<string> = new Set([
  ...(wordGroups["does"] ?? []),
  ..."are have live work eats drinks sleeps weighs takes".split(" "),
]);

/** `Otto taught me to sail`: what was so before stays true. */
export function isOfThePast({ memory }: Pick<ReadMemory, "memory">): boolean {
  const words = wordsOf(memory.text);
  return words.some(({ text }) => isPastTense(text)) && !words.some(({ text }) => present.has(text));
}

/**
 * The memories that tell how somebody is of whom a statement says that they died: their age, what they eat, that the user has them. One
 * that also names somebody else may hold on, and so does what something is called that is nobody's relative or pet.
 */
export function toldOfWhoDied(said: string, memories: Iterable<ReadMemory>): readonly ReadMemory[] {
  const name = whoDied(wordsOf(said));
  if (name === undefined) return [];
  return [...memories].filter((known) => {
    const { names, doer, possessed } = known.facets;
    if (!names.has(name) || names.size > 1 || possessed.size > 0 || isOfThePast(known)) return false;
    return doer === name || wordsOf(known.memory.text).some(({ text }) => wordGroups["relation"]?.has(text) === true);
  });
}
