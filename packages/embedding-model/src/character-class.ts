/** Part of a word. */
export const LETTER = 0;
export const SPACE = 1;
/** A word of its own. */
export const PUNCTUATION = 2;
/** A CJK ideograph: a word of its own. */
export const SINGLE = 3;
/** Control and format characters: as if they were not there. */
export const SKIP = 4;

export type CharacterClass = 0 | 1 | 2 | 3 | 4;

/** Code points beyond ASCII whose class and folding are remembered. */
const REMEMBERED = 8_192;

const ascii: Uint8Array = new Uint8Array(128);
for (let code = 0; code < 128; code++) ascii[code] = classify(code);

const classes: Map<number, CharacterClass> = new Map<number, CharacterClass>();
const folded: Map<number, string> = new Map<number, string>();

/** How BERT's pre-tokeniser treats a code point. */
export function characterClass(point: number): CharacterClass {
  if (point < 128) return ascii[point] as CharacterClass;
  let known = classes.get(point);
  if (known === undefined) {
    known = classify(point);
    if (classes.size >= REMEMBERED) classes.clear();
    classes.set(point, known);
  }
  return known;
}

/** The code point in lower case without its accents; may be empty (a combining accent) or several characters. */
export function foldCharacter(point: number): string {
  let known = folded.get(point);
  if (known === undefined) {
    known = "";
    for (const character of String.fromCodePoint(point)
      .normalize("NFD")
      .replace(/\p{Mn}/gu, ""))
      known += character.toLowerCase();
    if (folded.size >= REMEMBERED) folded.clear();
    folded.set(point, known);
  }
  return known;
}

function classify(point: number): CharacterClass {
  const character = String.fromCodePoint(point);
  if (character === "\t" || character === "\n" || character === "\r") return SPACE;
  if (point === 0xfffd || /\p{C}/u.test(character)) return SKIP;
  if (/\p{White_Space}/u.test(character)) return SPACE;
  if (isIdeograph(point)) return SINGLE;
  if (point < 128 ? /[!-/:-@[-`{-~]/.test(character) : /\p{P}/u.test(character)) return PUNCTUATION;
  return LETTER;
}

/** The CJK blocks that BERT splits; kana and hangul are not among them. */
function isIdeograph(point: number): boolean {
  return (
    (point >= 0x4e00 && point <= 0x9fff) ||
    (point >= 0x3400 && point <= 0x4dbf) ||
    (point >= 0x20000 && point <= 0x2a6df) ||
    (point >= 0x2a700 && point <= 0x2ceaf) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0x2f800 && point <= 0x2fa1f)
  );
}
