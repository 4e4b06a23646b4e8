/** What a character is to the analyser. Anything that is none of these separates words. */
export const separator = 0;
/** A letter, digit or combining mark of a script that puts spaces between words. */
export const wordCharacter = 1;
/** A letter of a script that puts no spaces between words. */
export const unspacedCharacter = 2;
/** Joins words into an identifier, such as a path, when there is a word on both sides. */
export const connector = 3;
export const apostrophe = 4;

const wordPattern = /[\p{L}\p{N}\p{M}]/u;
const unspacedPattern =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

// Unicode properties are read once for each page of 256 characters that a text really has.
const pageSize = 256;
const pages: (Uint8Array | undefined)[] = [];

/** The classes of ASCII, for loops that look there first. */
export const asciiClasses: Uint8Array = pageOf(0).slice(0, 128);

export function classOfCodePoint(codePoint: number): number {
  return pageOf(codePoint >> 8)[codePoint & (pageSize - 1)] as number;
}

function pageOf(index: number): Uint8Array {
  return (pages[index] ??= Uint8Array.from({ length: pageSize }, (_, offset) => classify(index * pageSize + offset)));
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if ("-_./\\:@&".includes(character)) return connector;
  if (character === "'") return apostrophe;
  if (!wordPattern.test(character)) return separator;
  return unspacedPattern.test(character) ? unspacedCharacter : wordCharacter;
}
