// OpenAI's patterns (tiktoken, `openai_public.py`) in JavaScript. `\s` is written \p{White_Space}, because JavaScript's
// has U+FEFF and lacks U+0085. Possessive quantifiers are plain ones: what they would give back never matches.
// Classes are written so that what Unicode 17 added is no letter, mark or number: the `u` flag has no subtraction, but a class
// that names everything else leaves it out, and one that names it takes it in.
// `(?i:'s)` leaves out the long s, U+017F: no token continues it, so its count is the same either way.

import { addedByUnicode17 as added } from "./added-by-unicode-17.ts";

const contraction = String.raw`'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`;
const letter = String.raw`[^\P{L}${added}]`;
const number = String.raw`[^\P{N}${added}]`;
// No lower-case letters, and no upper-case ones; both have the letters without case, and marks.
const upper = String.raw`[^\p{Ll}\p{N}\p{P}\p{S}\p{Z}\p{C}${added}]`;
const lower = String.raw`[^\p{Lu}\p{Lt}\p{N}\p{P}\p{S}\p{Z}\p{C}${added}]`;
const space = String.raw`\p{White_Space}`;
// What is neither letter nor number, but for line breaks before a word, and for all white space in punctuation.
const sign = String.raw`\p{M}\p{P}\p{S}\p{Cf}\p{Cs}\p{Co}\p{Cn}${added}`;
const beforeWord = String.raw`[${sign}\p{Z}\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]?`;
const punctuation = String.raw` ?[${sign}\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]+`;

/** How `o200k_base` cuts a text into pieces. Matches at every position, at least one character. */
export const o200kSplitPattern: string = [
  `${beforeWord}${upper}*${lower}+(?:${contraction})?`,
  `${beforeWord}${upper}+${lower}*(?:${contraction})?`,
  `${number}{1,3}`,
  String.raw`${punctuation}[\r\n/]*`,
  String.raw`${space}*[\r\n]+`,
  String.raw`${space}+(?!\P{White_Space})`,
  `${space}+`,
].join("|");

/** How `cl100k_base` cuts a text into pieces. Matches at every position, at least one character. */
export const cl100kSplitPattern: string = [
  contraction,
  `${beforeWord}${letter}+`,
  `${number}{1,3}`,
  String.raw`${punctuation}[\r\n]*`,
  `${space}+$`,
  String.raw`${space}*[\r\n]`,
  String.raw`${space}+(?!\P{White_Space})`,
  space,
].join("|");
