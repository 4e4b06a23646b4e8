import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike, isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";

/** Longer texts say more than one thing. In words. */
const longestText = 16;
/** In words: `the big meeting room`. */
const longestValue = 4;

/** Where a thing is, whom it is with, what it runs: of that there is one. */
const leadingToOne: ReadonlySet<string> = new Set("in on at with to under for by".split(" "));
const being: ReadonlySet<string> = new Set(
  "is are runs run goes go lives live sits sit hangs meets meet called named with".split(" "),
);
/** Who does these for something is one. */
const heading: ReadonlySet<string> = new Set("owns leads runs heads chairs captains manages maintains".split(" "));
const articles: ReadonlySet<string> = new Set("the a an my our his her their".split(" "));
/** Of these somebody may have several: `my brother is called Tom`. */
const ofSeveral: ReadonlySet<string> = new Set([
  ...(wordGroups["kin"] ?? []),
  ..."cousin aunt uncle friend friends colleague neighbour neighbor cat dog horse rabbit a an one another some".split(
    " ",
  ),
]);
/** What adds to a value, or is one of several. */
const adding: ReadonlySet<string> = new Set("and or also too both plus besides not no".split(" "));
/** These tell of many things: `I keep the tools in the cellar`, `I have a cat`. */
const speakers: ReadonlySet<string> = new Set("i we you he she they it there this that user team".split(" "));

/**
 * Whether two texts say the same of one thing but for one value, which is of the same form in both: `the team lead is Gustav`, `the team lead is
 * Hedda`; `lectures are in Hall C`, `lectures are in the Gallery Building`. Linear in their length.
 */
export function areSameButOne(one: readonly Word[], other: readonly Word[]): boolean {
  if (Math.max(one.length, other.length) > longestText) return false;
  let begin = 0;
  while (begin < Math.min(one.length, other.length) && one[begin]?.text === other[begin]?.text) begin++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - begin && one.at(-1 - end)?.text === other.at(-1 - end)?.text) end++;
  const [left, right] = [one.slice(begin, one.length - end), other.slice(begin, other.length - end)];
  if (
    [left, right].some(
      (value) => value.length === 0 || value.length > longestValue || value.some(({ text }) => adding.has(text)),
    )
  )
    return false;
  if (begin === 0) return isHeldByOne(left, right, one.slice(one.length - end));
  return isOfOneThing(one.slice(0, begin)) && areAlike(left, right, one.slice(0, begin));
}

/** `Noura owns the search module`, `Pavel owns the search module` */
function isHeldByOne(left: readonly Word[], right: readonly Word[], rest: readonly Word[]): boolean {
  return (
    rest.length > 1 &&
    heading.has(rest[0]?.text ?? "") &&
    [left, right].every((name) => name.every((word) => isNameLike(word, 1)))
  );
}

/** It begins with a thing and a verb of being: `the brand font is`, `our guide is called`, `the photo shoot is with`. */
function isOfOneThing(frame: readonly Word[]): boolean {
  const first = frame.find(({ text }) => !leadingWords.has(text));
  const verb = frame.findIndex(({ text }) => being.has(text));
  const isOne = !frame.slice(0, verb).some(({ text }) => ofSeveral.has(text));
  return verb > 0 && isOne && first !== undefined && !speakers.has(first.text) && !wordGroups["does"]?.has(first.text);
}

/** Both are names, or nouns behind the same preposition, or with an article. */
function areAlike(left: readonly Word[], right: readonly Word[], frame: readonly Word[]): boolean {
  const [before, verb] = [frame.at(-1)?.text ?? "", frame.findLast(({ text }) => being.has(text))?.text ?? ""];
  const isNamed = (value: readonly Word[]): boolean => value.some((word) => isNameLike(word, 1));
  const isNoun = (value: readonly Word[]): boolean => articles.has(value[0]?.text ?? "") && value.length > 1;
  if ([left, right].some((value) => value.every(({ text }) => isNumberWord(text)))) return false;
  if (isNamed(left) && isNamed(right))
    return before === "called" || before === "named" || being.has(before) || leadingToOne.has(before);
  const place = leadingToOne.has(before) || (articles.has(before) && leadingToOne.has(frame.at(-2)?.text ?? ""));
  return (
    place && verb !== "" && [left, right].every((value) => isNoun(value) || isNamed(value) || articles.has(before))
  );
}
