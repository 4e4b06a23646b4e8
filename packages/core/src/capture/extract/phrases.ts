import { isDateWord, isDoing, isNameLike, isNumberWord } from "./word-kinds.ts";
import type { Word } from "./words.ts";
import { wordGroups } from "./word-groups.ts";

/**
 * A phrase, as the grammar writes it. Its parts stand in order, each for one word:
 *
 * - `prefer|like`: one of these words
 * - `@relation`: a word of a group of `word-groups.ts`
 * - `#number`, `#date`, `#name`: a word of that kind, `#word`: any
 * - `#ing`: what somebody is just doing
 * - `?really`: the part may be left out
 * - `...`: up to six words, or none
 * - `^`, `$`: the clause begins or ends here
 */
export type Phrase = readonly Part[];

interface Part {
  readonly isOptional: boolean;
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
    return { isOptional, sign, fits: sign === "..." || sign === "^" || sign === "$" ? undefined : fitterOf(sign) };
  });
}

function fitterOf(sign: string): (word: Word, index: number) => boolean {
  const alternatives = sign.split("|");
  const plain = new Set(alternatives.filter((each) => !/^[#@]/.test(each)));
  const groups = alternatives.filter((each) => each.startsWith("@")).map((each) => groupOf(each.slice(1)));
  const kinds = new Set(alternatives.filter((each) => each.startsWith("#")));
  return (word, index) =>
    plain.has(word.text) ||
    groups.some((group) => group.has(word.text)) ||
    kinds.has("#word") ||
    (kinds.has("#number") && isNumberWord(word.text)) ||
    (kinds.has("#date") && isDateWord(word.text)) ||
    (kinds.has("#ing") && isDoing(word.text)) ||
    (kinds.has("#name") && isNameLike(word, index));
}

function groupOf(name: string): ReadonlySet<string> {
  const group = wordGroups[name];
  if (group === undefined) throw new Error(`The grammar has no group @${name}.`);
  return group;
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
