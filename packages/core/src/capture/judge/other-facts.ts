import { readClause } from "../extract/read-clause.ts";
import { hasVerb } from "../extract/finite-verbs.ts";
import { isNameLike } from "../extract/word-kinds.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import type { Facets } from "./facets.ts";
import { topicsOf } from "./topics.ts";

const joints = /([,;] (?:and |but )?| (?:and|but) | (?:before|after|until) (?=(?:the|my|our|his|her) ))/u;
/** A longer memory tells a story, of which no part stands alone. In UTF-16 units. */
const longestOfSeveral = 240;

/** A part of a memory, between joints. */
interface Part {
  readonly text: string;
  readonly words: readonly Word[];
  /** `and` or `but` stands before it, so that it is no apposition: `I work at Corvid, a bank in Leeds`. */
  readonly isJoined: boolean;
  readonly topics: ReadonlySet<string>;
  readonly isSpokenOf: boolean;
}

/**
 * Whether a memory says something besides what a later statement speaks of, so that it may not end with it: `Joris does the ovens and
 * Fien the shop` is not over when Fien quits.
 */
export function saysOtherFacts(memory: string, said: Pick<Facets, "topics" | "names">): boolean {
  const parts = memory.length > longestOfSeveral ? [] : partsOf(memory, said);
  if (parts.length < 2 || !parts.some(({ isSpokenOf }) => isSpokenOf)) return false;
  // The first part has the subject, and says something without a verb as well: `Our stack: Next.js on Vercel, Resend for mail`.
  return parts.some(
    (part, index) =>
      !part.isSpokenOf &&
      (part.topics.size > 0 || isAmount(part)) &&
      ((index === 0 && !isHalfOfSubject(part, parts[1] as Part)) ||
        isFact(part) ||
        goesOn(part, parts[index - 1] as Part) ||
        isOfSomebodyElse(part, said)),
  );
}

function partsOf(memory: string, said: Pick<Facets, "topics">): readonly Part[] {
  const pieces = memory.split(joints);
  return pieces.flatMap((text, index) => {
    if (index % 2 === 1) return [];
    const topics = topicsOf(text);
    const isJoined = /and|but/.test(pieces[index - 1] ?? "");
    return [
      { text, words: wordsOf(text), isJoined, topics, isSpokenOf: [...topics].some((topic) => said.topics.has(topic)) },
    ];
  });
}

/** `40 on Sundays`, `so we are at 10 now`: names no topic, and is not said of the first part. */
function isAmount({ text }: Part): boolean {
  return /\d/.test(text);
}

function isFact({ words }: Part): boolean {
  return readClause(words).statement?.kind === "semantic";
}

/** `Jobs and webhooks go through RabbitMQ` */
function isHalfOfSubject({ text, words }: Part, next: Part): boolean {
  return next.isJoined && !text.includes(":") && !hasVerb(words) && hasVerb(next.words);
}

/** `Theo is six and goes to Ashford Primary`, but not `Theo lives and works in Leeds`. */
function goesOn({ words, isJoined }: Part, before: Part): boolean {
  return isJoined && doesSomething(words[0]) && !doesSomething(before.words.at(-1));
}

function doesSomething(word: Word | undefined): boolean {
  return word !== undefined && wordGroups["does"]?.has(word.text) === true;
}

/** `a cook called Rosa and a waiter called Jim` */
function isOfSomebodyElse({ words, isJoined }: Part, { names }: Pick<Facets, "names">): boolean {
  return (
    isJoined && words[0]?.text === "a" && words.some((word, index) => isNameLike(word, index) && !names.has(word.text))
  );
}
