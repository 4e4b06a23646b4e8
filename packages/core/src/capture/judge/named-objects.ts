import type { Word } from "../extract/words.ts";
import { determiners, isOfThings, mayName, rootsOf, speaking, tellsWhich } from "./naming-words.ts";
import { rootOf } from "./topics.ts";
import { meaningOf } from "./value-families.ts";

const placing: ReadonlySet<string> = new Set("in at on by of from to during since until".split(" "));
const leadingOn: ReadonlySet<string> = new Set("because since so cos cuz while when".split(" "));

function firstClause(text: string, words: readonly Word[]): readonly Word[] {
  const sign = text.search(/[,;:.!?\u2013\u2014](?=\s)/u);
  const end = words.findIndex(({ text: word, start }) => leadingOn.has(word) || (sign >= 0 && start > sign));
  return end < 0 ? words : words.slice(0, end);
}

const introducing: ReadonlySet<string> = new Set("the my our for".split(" "));

/** Roots of what the first clause of a text names besides its subject: `newsletter` in `I write the newsletter on Fridays`. */
export function objectsOf(text: string, words: readonly Word[]): ReadonlySet<string> {
  const objects = new Set<string>();
  const clause = firstClause(text, words);
  for (const [index, word] of clause.entries()) {
    if (!introducing.has(word.text) || (word.text === "the" && speaking.has(clause[index + 1]?.text ?? ""))) continue;
    // `In the morning`, `at the library`: when and where it is may be its value.
    if (placing.has(clause[index - 1]?.text ?? "")) continue;
    const behind = clause.slice(index + 1, index + 1 + longestDetail);
    const end = behind.findIndex(
      (each, place) => !tellsWhich(each) || isValue(each) || isVerb(clause, index + 1 + place, place),
    );
    for (const root of rootsOf(end < 0 ? behind : behind.slice(0, end))) objects.add(root);
  }
  return objects;
}

function isValue({ text }: Word): boolean {
  const family = meaningOf(text)?.family;
  return family !== undefined && !isOfThings(family);
}

/** `The API returns XML`: what stands between two nouns and ends so is done by the first one. */
function isVerb(clause: readonly Word[], index: number, place: number): boolean {
  const [text = "", next] = [clause[index]?.text, clause[index + 1]?.text];
  return place > 0 && /[a-z]{2}[^s']s$/u.test(text) && next !== undefined && mayName(next);
}

const detailing: ReadonlySet<string> = new Set("with for about of".split(" "));
/** What leads somewhere: `the flight to Rome`. */
const leadingThere: ReadonlySet<string> = new Set(
  "flight flights train trains bus ferry trip ticket tickets subscription way".split(" "),
);
/** In words. */
const longestDetail = 3;
/** By the root of a noun the roots of what stands behind it with `with`, `for`, `about` or `of`: `Anna` by `interview`. */
export function detailsOf(words: readonly Word[]): ReadonlyMap<string, ReadonlySet<string>> {
  const details = new Map<string, ReadonlySet<string>>();
  for (const [index, { text }] of words.entries()) {
    const noun = words[index - 1];
    if (noun === undefined || !tellsWhich(noun)) continue;
    if (!detailing.has(text) && !(text === "to" && leadingThere.has(noun.text))) continue;
    const behind = words.slice(index + 1, index + 1 + longestDetail);
    const end = behind.findIndex((word) => !determiners.has(word.text) && !tellsWhich(word));
    const told = end < 0 ? behind : behind.slice(0, end);
    details.set(rootOf(noun.text), rootsOf(told));
  }
  return details;
}
