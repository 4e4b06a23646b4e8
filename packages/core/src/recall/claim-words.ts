import { stem } from "porter2";
import { foldText } from "../text/fold-text.ts";
import { stopWords } from "../text/stop-words.ts";
import { foldCase } from "../text/word-terms.ts";

/** A word, number or symbol of a text that says something. */
export interface ClaimWord {
  /** In lower case. */
  readonly word: string;
  /** What it shares with its other forms. Equal to `word` for names, numbers and symbols. */
  readonly stem: string;
}

/** What a text claims, word by word. */
export interface Claim {
  readonly words: readonly ClaimWord[];
  /** True when it asks: a question claims nothing. */
  readonly asks: boolean;
}

// Words with what joins them, such as `10.0.0.1`, numbers with their sign; currencies and other symbols.
const tokens = /[\p{Sc}\p{Sm}\p{So}%#]|(?:-(?=\p{N}))?[\p{L}\p{N}\p{M}]+(?:['.:/\\@&_-][\p{L}\p{N}\p{M}]+)*/gu;
const questionMark = /[?\u037e\u061f\uff1f]/u;
const sentenceEnd = /[.!?:;\n"\u201c(]/u;
const capitalised = /^\p{Lu}/u;
const allCapitals = /^\p{Lu}{2,}$/u;

/** What may be there or not without changing what is claimed. */
const silent: ReadonlySet<string> = new Set(["a", "an", "the", "and", "that", "also", "do", "does", "did", "please"]);

/** Words that contractions stand for. Every other `'s` says whose something is, and is left out. */
const contractions: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    "can't": "can not",
    cannot: "can not",
    "won't": "will not",
    "shan't": "shall not",
    "let's": "let us",
  })
    .concat(["it", "that", "there", "he", "she", "what", "who", "here"].map((word) => [`${word}'s`, `${word} is`]))
    .map(([short, long]) => [short, long.split(" ")]),
);
const contracted: readonly (readonly [string, readonly string[]])[] = [
  ["n't", ["not"]],
  ["'re", ["are"]],
  ["'ve", ["have"]],
  ["'ll", ["will"]],
  ["'m", ["am"]],
  ["'s", []],
];

/**
 * Reads the words of a text for what they claim: articles left out, contractions written out, words under their stems.
 * Numbers, names and words of the past stay as they are written, as other forms of them say something else.
 *
 * Takes time linear in the text's length.
 */
export function claimOf(text: string): Claim {
  const folded = foldText(text).replaceAll("\u2212", "-");
  const words: ClaimWord[] = [];
  let end = 0;
  for (const match of folded.matchAll(tokens)) {
    const [token] = match;
    const startsSentence = end === 0 || sentenceEnd.test(folded.slice(end, match.index));
    end = match.index + token.length;
    const isName = !startsSentence && capitalised.test(token);
    for (const word of writtenOut(token)) {
      if (!silent.has(word)) words.push({ word, stem: isName ? word : stemOf(word) });
    }
  }
  return { words, asks: questionMark.test(folded) };
}

function writtenOut(token: string): readonly string[] {
  const word = foldCase(token);
  // `US` is not `us`.
  if (allCapitals.test(token) && stopWords.has(word)) return [token];
  const whole = contractions.get(word);
  if (whole !== undefined) return whole;
  if (!word.includes("'")) return [word];
  const ending = contracted.find(([suffix]) => word.endsWith(suffix));
  return ending === undefined ? [word] : [word.slice(0, -ending[0].length), ...ending[1]];
}

function stemOf(word: string): string {
  return /^[a-z]*ed$/.test(word) ? `${plainStemOf(word)} (past)` : plainStemOf(word);
}

/** What a word shares with its other forms, those of the past among them. @param word in lower case */
export function plainStemOf(word: string): string {
  return /^[a-z]+$/.test(word) ? stem(word) : word;
}
