import { isParticiple } from "../../text/past-tense.ts";
import { wellSpelled } from "./hurried-spelling.ts";

/** A word of a sentence, as the grammar reads it. */
export interface Word {
  /** In lower case, contractions written out: `don't` is `do` and `not`. */
  readonly text: string;
  /** As it is written. */
  readonly raw: string;
  /** Offsets in the sentence. Words of one contraction have the same. */
  readonly start: number;
  readonly end: number;
}

/** A longer sentence is not read: nothing said in passing is so long. In UTF-16 units. */
export const longestSentence = 600;

const tokens =
  /\p{L}[\p{L}\p{M}\p{N}]{0,60}(?:['\u2019./@_+-][\p{L}\p{N}]{1,60}){0,6}|\p{N}[\p{L}\p{N}]{0,30}(?:[.,:/\u2013-]\p{N}[\p{L}\p{N}]{0,30}){0,6}|[%\u20ac$\u00a3\u00b0]/gu;

const wholes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "can't": ["can", "not"],
    cannot: ["can", "not"],
    "won't": ["will", "not"],
    "let's": ["let", "us"],
    wanna: ["want", "to"],
    tmrw: ["tomorrow"],
    gonna: ["going", "to"],
    gotta: ["got", "to"],
    "i'd": ["i", "would"],
    pls: ["please"],
    plz: ["please"],
    anymore: ["any", "more"],
    can: ["can"],
  }),
);

const endings: readonly (readonly [string, string])[] = [
  ["n't", "not"],
  ["'re", "are"],
  ["'ve", "have"],
  ["'ll", "will"],
  ["'m", "am"],
  ["'d", "would"],
];

const endsInD = /['\u2019]d$/iu;

const isSubjects: ReadonlySet<string> = new Set(
  "it that there he she what who here where everything nobody everybody this".split(" "),
);

/** In front of these words a noun's `'s` is `is`: they begin nothing that somebody could have. */
const behindIs: ReadonlySet<string> = new Set(
  `a an the my our your his her their this that these those no now not still also already never always just only too very really
  in on off out over under with from for to up down gone`.split(/\s+/),
);
/** In front of these it is `has`. */
const behindHas: ReadonlySet<string> = new Set("been become got left moved changed switched taken".split(" "));
/** At the end of a clause these are said of what stands in front, and are nothing that it has: `the printer's history`. */
const saidOfIt: ReadonlySet<string> = new Set("history dead done finished".split(" "));

/** The words of a sentence, in order. Linear in its length. */
export function wordsOf(sentence: string): readonly Word[] {
  const words: Word[] = [];
  for (const match of sentence.matchAll(tokens)) {
    const [raw] = match;
    const place = { raw, start: match.index, end: match.index + raw.length };
    for (const text of writtenOut(wellSpelled(raw.toLowerCase().replaceAll("\u2019", "'"))))
      words.push({ text, ...place });
    const [last, had] = [words.at(-1), words.at(-2)];
    // `The epipen's now in the drawer`, but not `the epipen's case`.
    if (last !== undefined && had?.text === "'s") {
      const endsClause = /^(?:$|[,.;!?])/u.test(sentence.slice(last.end, last.end + 1));
      if (behindIs.has(last.text) || (endsClause && saidOfIt.has(last.text)))
        words[words.length - 2] = { ...had, text: "is" };
      else if (behindHas.has(last.text)) words[words.length - 2] = { ...had, text: "has" };
    }
    // `I'd said Saturday`: had, and not would.
    if (last?.start === match.index && had?.text === "would" && endsInD.test(had.raw) && isParticiple(last.text))
      words[words.length - 2] = { ...had, text: "had" };
  }
  return words;
}

function writtenOut(word: string): readonly string[] {
  const whole = wholes.get(word);
  if (whole !== undefined) return whole;
  if (!word.includes("'")) return [word];
  const ending = endings.find(([suffix]) => word.endsWith(suffix));
  if (ending !== undefined) return [word.slice(0, -ending[0].length), ending[1]];
  if (word.endsWith("'s") && isSubjects.has(word.slice(0, -2))) return [word.slice(0, -2), "is"];
  return word.endsWith("'s") ? [word.slice(0, -2), "'s"] : [word];
}
