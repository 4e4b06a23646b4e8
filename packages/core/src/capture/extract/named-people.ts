import { wordGroups } from "./word-groups.ts";
import { isDateWord, isNameLike } from "./word-kinds.ts";
import type { Sentence } from "./sentences.ts";
import { wordsOf } from "./words.ts";

/** Who is told of with a name in passing. */
export interface NamedPerson {
  /** Where it is told: `my son Theo`. */
  readonly place: Sentence;
  /** In the third person: `The user has a son, Theo`. */
  readonly text: string;
}

/** Of these somebody has many, or the word behind is no name of one of them: `my team Falcon`. */
const ofSeveral: ReadonlySet<string> = new Set(
  "team family child children kid kids parents twin baby friend".split(" "),
);
/** In words: `Elena Maria`. */
const longestName = 2;

/**
 * Whom a sentence names by the way: `Can you help me plan a party for my son Theo?` asks, and tells that there is a son. The first one of a
 * sentence. Linear in its length.
 */
export function namedPersonIn({ text, start }: Sentence): NamedPerson | undefined {
  const words = wordsOf(text);
  const at = words.findIndex(
    (word, index) =>
      (word.text === "my" || word.text === "our") &&
      wordGroups["relation"]?.has(words[index + 1]?.text ?? "") === true &&
      !ofSeveral.has(words[index + 1]?.text ?? ""),
  );
  if (at < 0) return undefined;
  const relation = words[at + 1];
  const named = words.slice(at + 2, at + 2 + longestName);
  const first = named[0];
  if (relation === undefined || first === undefined || !isName(first.raw) || !isNameLike(first, 1)) return undefined;
  if (isDateWord(first.text) || text.slice(relation.end, first.start).trim() !== "") return undefined;
  const second = named[1];
  const isLonger = second !== undefined && isName(second.raw) && text.slice(first.end, second.start) === " ";
  const end = isLonger ? second.end : first.end;
  const name = text.slice(first.start, end).replace(/['\u2019]s$/u, "");
  const from = words[at]?.start ?? 0;
  const told = text.slice(from, first.start) + name;
  return {
    place: { text: told, start: start + from, end: start + from + told.length },
    text: `The user has ${/^[aeiou]/.test(relation.text) ? "an" : "a"} ${relation.text}, ${name}`,
  };
}

function isName(raw: string): boolean {
  return /^\p{Lu}\p{Ll}[\p{L}-]{0,30}(?:['\u2019]s)?$/u.test(raw);
}
