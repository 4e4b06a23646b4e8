import { isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import type { Word } from "../extract/words.ts";
import { pairs } from "./changes.ts";
import { areNear, differingFamily, doNumbersDiffer, measureSame } from "./differing-values.ts";
import type { Facets } from "./facets.ts";
import type { HeardStatement } from "./heard-statement.ts";
import { isOfSomethingElse } from "./is-about.ts";
import type { ReadMemory } from "./read-memory.ts";
import { isSubset } from "./set-relations.ts";
import { pointsElsewhere } from "./spoken-of.ts";
import { areByOthers, areOfOthers } from "./told-of-another.ts";
import { meaningOf } from "./value-families.ts";

/** Whether what led up to a statement names the value of a memory: `In Chrome, open the settings`. */
export function isUsedIn(before: Facets, { value }: ReadMemory): boolean {
  if (value === undefined) return false;
  const { topics, numbers, values } = value;
  return (
    topics.size + numbers.size + values.size > 0 &&
    isSubset(topics, before.topics) &&
    isSubset(numbers, before.numbers) &&
    [...values].every(([family, named]) => isSubset(named, before.values.get(family) ?? none))
  );
}

const none: ReadonlySet<string> = new Set();

/** Longer ones say for themselves what they are about. In topics. */
const mostTopics = 6;

/**
 * Whether a statement gives what the assistant has just used another value: it says that something is different, `16 since the last
 * release`, or begins with the other one, `seven with Ines`. Only where it speaks of nothing and nobody else, and for a number there is
 * a number, for a day a day, for a name a name.
 */
export function changesWhatWasUsed(heard: HeardStatement, known: ReadMemory): boolean {
  const { said, isUnreal, words, statement } = heard;
  const { value, facets } = known;
  if (value === undefined || isUnreal || said.topics.size > mostTopics || said.isNegated !== facets.isNegated)
    return false;
  // `My doctor put me up to 75` is told of the speaker.
  const isDoneToSpeaker = words.some(({ text }) => text === "me" || text === "us");
  if (isOfSomethingElse(heard, known) || (!isDoneToSpeaker && areOfOthers(facets, said)) || areByOthers(facets, said))
    return false;
  if (said.addsMore || said.staysAsItWas || heard.staysSo) return false;
  if (value.numbers.size > 0)
    return (
      (said.tellsChange || beginsWith(words, ({ text }) => isNumberWord(text))) &&
      doNumbersDiffer(value, said) &&
      (measureSame(value, said) || said.quantities.has("plain")) &&
      areNear(value, said)
    );
  const family = differingFamily(value, said, false);
  if (family !== undefined)
    return said.tellsChange || beginsWith(words, ({ text }) => meaningOf(text)?.family === family);
  if (switchesTo(words)) return [...said.topics].some((topic) => !facets.topics.has(topic));
  if (!saysSinceWhen(words) || value.namedTopics.size === 0 || !pointsElsewhere(statement.said)) return false;
  return [...said.surelyNamedTopics].some((topic) => !facets.topics.has(topic));
}

const switching: ReadonlySet<string> = new Set("changed switched swapped moved".split(" "));

const auxiliaries: ReadonlySet<string> = new Set([
  ...leadingWords,
  ..."have has had were was been just got".split(" "),
]);
const speakers: ReadonlySet<string> = new Set("i we they".split(" "));

/** `Changed to chemistry this term`, `we were moved over to Maple`; but `Farid moved to Lisbon` is of him. */
function switchesTo(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    if (!switching.has(text)) return false;
    const mover = words.slice(0, index).findLast((word) => !auxiliaries.has(word.text))?.text;
    const behind = words.slice(index + 1, index + 3).find((word) => word.text !== "over")?.text;
    return behind === "to" && (mover === undefined || speakers.has(mover));
  });
}

const lately: ReadonlySet<string> = new Set("now since nowadays meanwhile".split(" "));

/** `It's his daughter now, Carys`, `it sits in Helsinki these days` */
function saysSinceWhen(words: readonly Word[]): boolean {
  return words.some(({ text }) => lately.has(text)) || pairs(words, "these", "days");
}

function beginsWith(words: readonly Word[], isValue: (word: Word) => boolean): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text));
  return first !== undefined && isValue(first);
}
