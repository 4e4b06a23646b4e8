// OpenAI's patterns (tiktoken, `openai_public.py`) in JavaScript. `\s` is written \p{White_Space}, because JavaScript's
// has U+FEFF and lacks U+0085. Possessive quantifiers are plain ones: what they would give back never matches.
// `(?i:'s)` leaves out the long s, U+017F: no token continues it, so its count is the same either way.

const contraction = String.raw`'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])`;
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const space = String.raw`\p{White_Space}`;
const beforeWord = String.raw`[^\r\n\p{L}\p{N}]?`;
const punctuation = String.raw` ?[^\p{White_Space}\p{L}\p{N}]+`;

/** How `o200k_base` cuts a text into pieces. Matches at every position, at least one character. */
export const o200kSplitPattern: string = [
  `${beforeWord}${upper}*${lower}+(?:${contraction})?`,
  `${beforeWord}${upper}+${lower}*(?:${contraction})?`,
  String.raw`\p{N}{1,3}`,
  String.raw`${punctuation}[\r\n/]*`,
  String.raw`${space}*[\r\n]+`,
  String.raw`${space}+(?!\P{White_Space})`,
  `${space}+`,
].join("|");

/** How `cl100k_base` cuts a text into pieces. Matches at every position, at least one character. */
export const cl100kSplitPattern: string = [
  contraction,
  String.raw`${beforeWord}\p{L}+`,
  String.raw`\p{N}{1,3}`,
  String.raw`${punctuation}[\r\n]*`,
  `${space}+$`,
  String.raw`${space}*[\r\n]`,
  String.raw`${space}+(?!\P{White_Space})`,
  space,
].join("|");
