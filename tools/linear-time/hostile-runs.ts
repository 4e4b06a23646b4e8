import type { WrittenPattern } from "./find-patterns.ts";

/** A text of any length: a beginning, a piece said again and again, and an end. */
export interface Run {
  readonly before: string;
  readonly piece: string;
  readonly after: string;
}

/** One of each kind of character that patterns tell apart. */
const characters: readonly string[] = [
  ...charactersOfText("aZ0_-.,:;!?\"'`~*#=+|/\\<>()[]{}&$%@^ \t\n\r"),
  ...charactersOfText("\v\u00A0\u0085\u2028\u0301\u200D\uFE0F\u00AD\0\uFFFDé中あ한กﾞ。？…”’＜｜👍"),
];

/** Each code point of a text. */
export function charactersOfText(text: string): readonly string[] {
  return Array.from(text);
}

/** So many kinds of pieces are tried at most, words last. */
const mostPieces = 16;
const escape = /^\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|k<[^>]*>|[^])/;
/** Groups, quantifiers and places: they match no character of their own. */
const syntax = /^(?:\(\?(?:[:=!]|<[=!]|<\w+>)|[()|^$]|[*+?]\??|\{\d+(?:,\d*)?\}\??)/;

/** What a pattern is made of: a character for each of its atoms, and its words. */
export function atomsOf({ source, flags }: WrittenPattern): readonly string[] {
  const found = new Set<string>();
  const words = new Set<string>();
  let word = "";
  const endWord = (): void => {
    if (word.length > 1) words.add(word);
    word = "";
  };
  for (let rest = source; rest !== "";) {
    const length = atomLength(rest);
    const atom = rest.slice(0, length);
    const isSyntax = syntax.test(rest);
    rest = rest.slice(length);
    const matching = isSyntax || /^\\[bBk1-9]/.test(atom) ? [] : charactersOf(atom, flags);
    if (/^[A-Za-z]$/.test(atom)) word += atom;
    else endWord();
    for (const one of matching) found.add(one);
  }
  endWord();
  return [...found, ...words].slice(0, mostPieces);
}

function atomLength(rest: string): number {
  if (rest.startsWith("\\")) return escape.exec(rest)?.[0].length ?? 1;
  if (!rest.startsWith("["))
    return syntax.exec(rest)?.[0].length ?? String.fromCodePoint(rest.codePointAt(0) ?? 0).length;
  let depth = 0;
  for (let index = 0; index < rest.length; index++) {
    if (rest[index] === "\\") index++;
    else if (rest[index] === "[") depth++;
    else if (rest[index] === "]" && (--depth === 0 || !rest.slice(1, index).includes("["))) return index + 1;
  }
  return rest.length;
}

/** At most 3 characters that an atom takes, unlike each other. */
function charactersOf(atom: string, flags: string): readonly string[] {
  try {
    if (atom.length === 1 && atom !== ".") return [atom];
    const pattern = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gy]/g, ""));
    const taken = characters.filter((character) => pattern.test(character));
    return [taken[0], taken[Math.floor(taken.length / 2)], taken.at(-1)].filter((one) => one !== undefined);
  } catch {
    return [];
  }
}

/** Runs of the pieces, alone and in pairs, behind and before each of them. */
export function* runsOf(pieces: readonly string[]): Generator<Run> {
  const ends = ["", "\n", "x", ...pieces];
  for (const piece of pieces) for (const before of ends) for (const after of ends) yield { before, piece, after };
  for (const first of pieces)
    for (const second of pieces)
      if (first !== second) for (const after of ["", "x", "\n"]) yield { before: "", piece: first + second, after };
}

/** A run of at least so many UTF-16 units, and hardly more. */
export function textOf({ before, piece, after }: Run, length: number): string {
  return before + piece.repeat(Math.max(1, Math.ceil((length - before.length - after.length) / piece.length))) + after;
}
