import type { MemoryRecord } from "@loci/domain";
import { stopWords } from "../text/stop-words.ts";
import { type Claim, claimOf, type ClaimWord } from "./claim-words.ts";

/**
 * How two claims in nearly the same words stand to each other.
 *
 * - `same`: they say the same, so that one of them is enough.
 * - `contradicts`: they give one thing two values, so that at most one of them holds.
 * - `different`: both may hold.
 */
export type Agreement = "same" | "contradicts" | "different";

/** A memory whose claim is compared. It is read once, when it is needed. */
export class Claimant {
  readonly memory: Pick<MemoryRecord, "text" | "slot">;
  #claim: Claim | undefined;

  constructor(memory: Pick<MemoryRecord, "text" | "slot">) {
    this.memory = memory;
  }

  get claim(): Claim {
    return (this.#claim ??= claimOf(this.memory.text));
  }
}

/**
 * Tells near-duplicates from texts that only look alike. A vector hardly knows `20 euros` from `25 euros`, or what may be
 * from what may not: so besides it every number, date, name, symbol, negation and other word has to agree. Case,
 * punctuation, articles, contractions, number and person of words, and which clause comes first make no difference.
 *
 * Careful on purpose: to show the same thing twice costs a few tokens, to drop another fact costs the answer.
 */
export function agreementOf(left: Claimant, right: Claimant): Agreement {
  const { slot } = left.memory;
  const otherSlot = right.memory.slot;
  if (slot !== undefined && otherSlot !== undefined && slot !== otherSlot) return "different";
  if (left.memory.text === right.memory.text) return "same";
  const one = left.claim;
  const other = right.claim;
  if (one.asks === other.asks && saysSame(one.words, other.words)) return "same";
  if (slot !== undefined && slot === otherSlot) return "contradicts";
  return !one.asks && !other.asks && changesOneThing(one, other) ? "contradicts" : "different";
}

/** Longest claim that is looked at with another clause first. */
const longestTurned = 64;

/** The same words in the same order, or with the end put first: `we deploy on Monday`, `on Monday we deploy`. */
function saysSame(left: readonly ClaimWord[], right: readonly ClaimWord[]): boolean {
  if (left.length !== right.length || left.length === 0) return false;
  const isTurnedBy = (shift: number): boolean =>
    left.every((word, index) => isSameWord(word, right[(index + shift) % right.length] as ClaimWord));
  if (isTurnedBy(0)) return true;
  if (left.length > longestTurned) return false;
  return left.some((_, shift) => shift > 0 && isTurnedBy(shift));
}

function isSameWord(left: ClaimWord, right: ClaimWord): boolean {
  return left.word === right.word || left.stem === right.stem;
}

/** Most words of each text that a single value takes, such as `3 pm`. */
const longestValue = 3;

/**
 * Whether the texts are the same but for one value: a number, a negation, or what is said of a subject that both name. The
 * subject itself being another one is no contradiction: `Ann likes tea`, `Ben likes tea`.
 */
function changesOneThing({ words: left }: Claim, { words: right }: Claim): boolean {
  const shorter = Math.min(left.length, right.length);
  let before = 0;
  while (before < shorter && isSameWord(left[before] as ClaimWord, right[before] as ClaimWord)) before++;
  let behind = 0;
  while (behind < shorter - before && isSameWord(left.at(-1 - behind) as ClaimWord, right.at(-1 - behind) as ClaimWord))
    behind++;
  const values = [left.slice(before, left.length - behind), right.slice(before, right.length - behind)];
  if (before + behind === 0 || values.some(({ length }) => length > longestValue)) return false;
  if (values.flat().every(({ word }) => modes.has(word))) return true;
  if (values.some(({ length }) => length === 0)) return false;
  if (values.every((words) => words.some(({ word }) => /\p{N}/u.test(word)))) return true;
  return left.slice(0, before).some(({ word }) => !stopWords.has(word));
}

/** Words that turn what is said into its opposite, or say how surely or how often it holds. */
const modes: ReadonlySet<string> = new Set(
  `not no never neither nor none nobody nothing nowhere without hardly
  may might can could must should shall will would ought
  always sometimes often rarely seldom usually all every any some only`.split(/\s+/),
);
