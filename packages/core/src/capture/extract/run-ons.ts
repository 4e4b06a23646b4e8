import { isPastTense } from "../../text/past-tense.ts";
import { hasVerb } from "./finite-verbs.ts";
import type { Sentence } from "./sentences.ts";
import { wordGroups } from "./word-groups.ts";
import { leadingWords } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

/** In words. A shorter sentence is read as it is. */
const shortestRunOn = 18;
/** Who types sets a sign at every so many words; who dictates none. */
const wordsToSign = 16;
/** In words: a part is at least as long. */
const shortestPart = 4;

/** Words that say a sign, or fill a pause. */
const spokenSign = /\s(?:full stop|um+|uh+|er+m?|new line|question mark|you know)(?=\s)/giu;
/** What begins a clause of its own, behind a word that may end one. */
const beginning =
  /(?<=[\p{L}\d]\s)(?:I(?:['\u2019]m| am|['\u2019]ve got| have| live| work| start| can['\u2019]?t| cannot| don['\u2019]?t| used to| never| always)|(?:it|that|there)(?:['\u2019]s| is)|i(?:m|ve)|its (?:just|only|now|called|on|in|at|a|the|not|\d)|(?:can|could|would) (?:yo)?u|we(?:['\u2019]re| are|['\u2019]ve got| have)|they(?:['\u2019]re| are)|my \p{L}{2,20} (?:is|has|was|works|lives|can['\u2019]?t))(?=\s(?!\p{L}{2,20}ing\s))/giu;
/** Behind these a clause goes on. */
const binding: ReadonlySet<string> = new Set(
  `and but or so because if when while where that which who whom whose what how why than as since until till before after though although
   unless whether like think thinks thought know knows say says said told guess hope mean feel believe suppose wish see hear want need let make
   help of for with to from in on at by about is are was were be not only just also even then do does did can could would should will
   cos cause cuz once wherever whenever however sure glad sorry afraid the a an my our your his her their this these those all everything
   something anything nothing one day time way thing`.split(/\s+/u),
);

/**
 * The same sentences, where one that was dictated without a sign is parted where a clause of its own begins: `I am eighty one my daughter
 * is a nurse`. Linear in the length.
 */
export function withoutRunOns(sentences: readonly Sentence[]): readonly Sentence[] {
  return sentences.flatMap((sentence) => (isRunOn(sentence.text) ? partsOf(sentence) : [sentence]));
}

function isRunOn(text: string): boolean {
  const words = text.split(/\s+/u).length;
  const signs = [...text.matchAll(/[,;:.!?\u2013\u2014](?=\s)/gu)].length;
  return words >= shortestRunOn && signs * wordsToSign <= words;
}

function partsOf({ text, start }: Sentence): readonly Sentence[] {
  const places = [
    ...Array.from(text.matchAll(spokenSign), ({ 0: sign, index }) => ({ end: index, begin: index + sign.length + 1 })),
    ...Array.from(text.matchAll(beginning), ({ index }) => ({ end: index - 1, begin: index })),
  ]
    .filter(({ end }) => !goesOnBehind(text, end))
    .toSorted((left, right) => left.begin - right.begin);
  const parts: Sentence[] = [];
  let from = 0;
  const add = (end: number): void => {
    parts.push({ text: text.slice(from, end), start: start + from, end: start + end });
  };
  for (const { end, begin } of places) {
    if (
      begin <= from ||
      !isClause(text.slice(Math.max(from, end - longestRead), end)) ||
      !mayFollow(text.slice(begin, begin + longestRead))
    )
      continue;
    add(end);
    from = begin;
  }
  add(text.length);
  return parts;
}

/** In UTF-16 units: two words. */
const widestBefore = 40;

/** `I think`, `they concluded`; but `the bus was cut` is complete. */
function goesOnBehind(text: string, end: number): boolean {
  const [before, last] = wordsOf(text.slice(Math.max(0, end - widestBefore), end)).slice(-2);
  const word = (last ?? before)?.text ?? "";
  const isPassive = last !== undefined && wordGroups["be"]?.has(before?.text ?? "") === true;
  return binding.has(word) || (isPastTense(word) && !isPassive);
}

/** In UTF-16 units: so much tells whether a part is a clause. */
const longestRead = 240;

/** Whether a part has a verb, behind the last word that joins it to the one before as well, and does not wait for what it is a condition of. */
function isClause(text: string): boolean {
  const words = wordsOf(text);
  const last = words.slice(words.findLastIndex((word) => coordinating.has(word.text)) + 1);
  const first = last.find((word) => !leadingWords.has(word.text))?.text ?? "";
  return words.length >= shortestPart && !subordinating.has(first) && tells(last);
}

const coordinating: ReadonlySet<string> = new Set("and but or".split(" "));
const subordinating: ReadonlySet<string> = new Set(
  "if when while since until till before after although though unless whether once whenever as".split(" "),
);

/** It has a verb; `its` stands for `it's` where such a part begins. */
function mayFollow(text: string): boolean {
  const words = wordsOf(text);
  return words.length >= shortestPart && (words[0]?.text === "its" || tells(words));
}

/** `I am`, `Eli started` */
function tells(words: readonly Word[]): boolean {
  return hasVerb(words) || words.some(({ text }) => isPastTense(text));
}
