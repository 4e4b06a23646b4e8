import { isDateWord, isDayWord, isDoing, isNameLike, isNumberWord } from "./word-kinds.ts";
import type { Word } from "./words.ts";
import { wordGroups } from "./word-groups.ts";

/**
 * A phrase, as the grammar writes it. Its parts stand in order, each for one word:
 *
 * - `prefer|like`: one of these words
 * - `@relation`: a word of a group of `word-groups.ts`
 * - `#number`, `#date`, `#name`: a word of that kind, `#day`: one that may name a single day, `#word`: any
 * - `#ing`: what somebody is just doing
 * - `?really`: the part may be left out
 * - `...`: up to six words, or none
 * - `^`, `$`: the clause begins or ends here
 */
export type Phrase = readonly Part[];

interface Part {
  readonly isOptional: boolean;
  /** The words it takes, if it takes no others. */
  readonly words?: ReadonlySet<string>;
  /** `undefined` for `...`, `^` and `$`. */
  readonly fits: ((word: Word, index: number) => boolean) | undefined;
  readonly sign: string;
}

/** Most words that `...` stands for. */
const widestGap = 6;

/** Reads a phrase once, when the grammar is loaded. */
export function phraseOf(written: string): Phrase {
  return written.split(" ").map((part) => {
    const isOptional = part.startsWith("?") && part.length > 1;
    const sign = isOptional ? part.slice(1) : part;
    if (sign === "..." || sign === "^" || sign === "$") return { isOptional, sign, fits: undefined };
    return { isOptional, sign, ...takenBy(sign) };
  });
}

function takenBy(sign: string): Pick<Part, "words"> & { readonly fits: (word: Word, index: number) => boolean } {
  const alternatives = sign.split("|");
  const words = new Set(
    alternatives
      .filter((each) => !each.startsWith("#"))
      .flatMap((each) => (each.startsWith("@") ? [...groupOf(each.slice(1))] : each)),
  );
  const kinds = new Set(alternatives.filter((each) => each.startsWith("#")));
  if (kinds.size === 0) return { words, fits: (word) => words.has(word.text) };
  return {
    fits: (word, index) =>
      words.has(word.text) ||
      kinds.has("#word") ||
      (kinds.has("#number") && isNumberWord(word.text)) ||
      (kinds.has("#date") && isDateWord(word.text)) ||
      (kinds.has("#day") && isDayWord(word)) ||
      (kinds.has("#ing") && isDoing(word.text) && !(index > 0 && isWrittenAsName(word))) ||
      (kinds.has("#name") && isNameLike(word, index)),
  };
}

/** `Ferring`; who shouts writes all letters so. */
function isWrittenAsName({ raw }: Word): boolean {
  return /^\p{Lu}\p{Ll}/u.test(raw);
}

function groupOf(name: string): ReadonlySet<string> {
  const group = wordGroups[name];
  if (group === undefined) throw new Error(`The grammar has no group @${name}.`);
  return group;
}

/** Which of many phrases a clause may hold at all, by its words. */
export class PhraseIndex {
  readonly #byWord = new Map<string, Phrase[]>();
  /** Those that may consist of any words. */
  readonly #others: Phrase[] = [];

  constructor(phrases: Iterable<Phrase>) {
    for (const phrase of phrases) {
      const needed = neededWords(phrase);
      if (needed === undefined) this.#others.push(phrase);
      else for (const word of needed) this.#byWord.set(word, [...(this.#byWord.get(word) ?? []), phrase]);
    }
  }

  /** All that stand among the words, and some that do not. */
  possibleIn(words: readonly Word[]): ReadonlySet<Phrase> {
    const possible = new Set(this.#others);
    for (const { text } of words) for (const phrase of this.#byWord.get(text) ?? []) possible.add(phrase);
    return possible;
  }
}

/** Words of which a phrase has one wherever it stands: of its parts that may not be left out, those of the one with the fewest. */
function neededWords(phrase: Phrase): ReadonlySet<string> | undefined {
  return phrase
    .flatMap(({ isOptional, words }) => (isOptional || words === undefined ? [] : words))
    .reduce<ReadonlySet<string> | undefined>(
      (least, words) => (least && least.size <= words.size ? least : words),
      undefined,
    );
}

/** Where a phrase stands among words: from the first it takes to behind the last. `undefined`: nowhere. */
export function findPhrase(phrase: Phrase, words: readonly Word[]): readonly [number, number] | undefined {
  for (let start = 0; start <= words.length; start++) {
    const end = endOf(phrase, 0, words, start);
    if (end >= 0) return [start, end];
    if (phrase[0]?.sign === "^") return undefined;
  }
  return undefined;
}

/** Behind the last word that the parts from `part` on take at `at`, or -1. Gaps are few and bounded, so this is quick. */
function endOf(phrase: Phrase, part: number, words: readonly Word[], at: number): number {
  const wanted = phrase[part];
  if (wanted === undefined) return at;
  if (wanted.sign === "^") return at === 0 ? endOf(phrase, part + 1, words, at) : -1;
  if (wanted.sign === "$") return at === words.length ? endOf(phrase, part + 1, words, at) : -1;
  if (wanted.sign === "...") {
    for (let gap = 0; gap <= widestGap && at + gap <= words.length; gap++) {
      const end = endOf(phrase, part + 1, words, at + gap);
      if (end >= 0) return end;
    }
    return -1;
  }
  const word = words[at];
  if (word !== undefined && wanted.fits?.(word, at) === true) {
    const end = endOf(phrase, part + 1, words, at + 1);
    if (end >= 0) return end;
  }
  return wanted.isOptional ? endOf(phrase, part + 1, words, at) : -1;
}
