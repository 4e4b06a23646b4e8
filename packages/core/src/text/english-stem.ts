import { stem } from "porter2";
import { irregularForms } from "./irregular-forms.ts";
import { spelledOneWay } from "./spellings.ts";

/**
 * The stem of an English word by Porter 2, of an irregular form that of its word, and of every spelling the same: `bought` and
 * `buying`, `colours` and `color` have one.
 *
 * @param word letters from a to z
 */
export function englishStem(word: string): string {
  return stem(irregularForms.get(word) ?? spelledOneWay(word));
}
