const mayHaveAccents = /[^\0-\x7f]/;
/** In other scripts marks are letters, as in those of India, or make another letter, as in `й`. */
const marked = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]\p{Mn}+/gu;

/** Letters that Unicode does not take apart, and what is typed where a keyboard lacks them. */
const letters: ReadonlyMap<string, string> = new Map([
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ı", "i"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["þ", "th"],
  ["ё", "е"],
]);
const anyLetter = new RegExp(`[${[...letters.keys()].join("")}]`, "gu");

/**
 * A word as it is typed without accents: `chloé` as `chloe`, `smørrebrød` as `smorrebrod`, `ёлка` as `елка`, Arabic and Hebrew without
 * vowel marks. Other scripts stay as they are.
 *
 * @param word in lower case
 */
export function unaccented(word: string): string {
  if (!mayHaveAccents.test(word)) return word;
  const plain = word
    .replaceAll(anyLetter, (letter) => letters.get(letter) as string)
    .normalize("NFD")
    .replaceAll(marked, (letter) => String.fromCodePoint(letter.codePointAt(0) as number));
  return plain.normalize("NFC");
}
