import { wordGroups } from "./word-groups.ts";
import { isNameLike, isNumberWord } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** Whether a name in it may be somebody's. `Rasagiline 1 mg` is nobody. */
export function namesSomebody(words: readonly Word[]): boolean {
  return (
    namesOneOfTheirs(words) ||
    words.some((word, index) => isNameLike(word, index) && !isNumberWord(words[index + 1]?.text ?? ""))
  );
}

/** `my dad`, `Emma's teacher` */
export function namesOneOfTheirs(words: readonly Word[]): boolean {
  return words.some(({ text }) => wordGroups["relation"]?.has(text) === true);
}
