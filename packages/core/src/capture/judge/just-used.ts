import { isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { pairs } from "./changes.ts";
import { areNear, differingFamily, doNumbersDiffer, measureSame } from "./differing-values.ts";
import { type Facets, facetsOf } from "./facets.ts";
import type { HeardStatement } from "./heard-statement.ts";
import { isOfSomethingElse } from "./is-about.ts";
import type { ReadMemory } from "./read-memory.ts";
import { isSubset } from "./set-relations.ts";
import { type JudgedStatement, pointsElsewhere } from "./spoken-of.ts";
import { topicsOf } from "./topics.ts";
import { areByOthers, areOfOthers } from "./told-of-another.ts";
import { meaningOf } from "./value-families.ts";

/** Whether what led up to a statement names the value of a memory: `In Chrome, open the settings`, `200 as before?` of 200 a month. */
export function isUsedIn(before: Facets, { value }: ReadMemory): boolean {
  if (value === undefined) return false;
  const { numbers, values } = value;
  const topics = new Set([...value.topics].filter((topic) => numbers.size === 0 || !periods.has(topic)));
  return (
    topics.size + numbers.size + values.size > 0 &&
    isSubset(topics, before.topics) &&
    [...numbers].every((number) => isNumberIn(number, value, before)) &&
    [...values].every(([family, named]) => isSubset(named, before.values.get(family) ?? none))
  );
}

/** In hours: `at six` may be 18:00. */
const halfDay = 12;

function isNumberIn(number: string, { quantities }: Facets, { numbers }: Facets): boolean {
  const isTime = quantities.get("time")?.has(number) === true;
  return numbers.has(number) || (isTime && numbers.has(String(Number(number) - halfDay)));
}

const none: ReadonlySet<string> = new Set();
const periods: ReadonlySet<string> = topicsOf("hour day week month quarter year term season");

/**
 * Which of the memories whose values were just used a statement gives another value. Where several were, a value of another kind tells
 * which: `for two, without dairy` is changed by `three` in one thing only.
 */
export function changedOfUsed(heard: HeardStatement, used: readonly ReadMemory[]): ReadMemory | undefined {
  const isOnly = used.length === 1;
  const changed = used.filter((known) => changesWhatWasUsed(heard, known, isOnly));
  return changed.length === 1 ? changed[0] : undefined;
}

/** Longer ones say for themselves what they are about. In topics. */
const mostTopics = 6;

/**
 * Whether a statement gives what the assistant has just used another value: it says that something is different, `16 since the last
 * release`, or begins with the other one, `seven with Ines`. Only where it speaks of nothing and nobody else, and for a number there is
 * a number, for a day a day, for a name a name.
 */
function changesWhatWasUsed(heard: HeardStatement, known: ReadMemory, isOnly: boolean): boolean {
  const { isUnreal, words, statement } = heard;
  const { value, facets } = known;
  const beginsWithOther = value !== undefined && beginsWith(words, (word) => isOfKind(word, value));
  // Behind the value may stand why: `465, the landlord added heating`, `three, my dad lives with us now`.
  const said = beginsWithOther ? heard.beginning : heard.said;
  if (value === undefined || isUnreal || said.topics.size > mostTopics || said.isNegated !== facets.isNegated)
    return false;
  // `My doctor put me up to 75` is told of the speaker.
  const isDoneToSpeaker = words.some(({ text }) => text === "me" || text === "us");
  if (isOfSomethingElse(heard, known) || (!isDoneToSpeaker && areOfOthers(facets, said)) || areByOthers(facets, said))
    return false;
  if (said.addsMore || said.staysAsItWas || heard.staysSo) return false;
  if (value.numbers.size > 0)
    return (
      (said.tellsChange || beginsWithOther) &&
      doNumbersDiffer(value, said) &&
      (measureSame(value, said) || said.quantities.has("plain")) &&
      areNear(value, said)
    );
  const family = differingFamily(value, said, false);
  if (family !== undefined) return said.tellsChange || beginsWithOther;
  if (isOnly && switchesTo(words)) return [...said.topics].some((topic) => !facets.topics.has(topic));
  const isSince = saysSinceWhen(words) && pointsElsewhere(statement.said);
  // `Still in Gramps?`, `I use Heredis these days`: who is asked about one thing and tells what is so now answers that.
  const isAsked = isOnly && statement.ahead.trim() === "" && statement.before.trimEnd().endsWith("?");
  if (isAsked && saysSinceWhen(words) && beginsWithSpeakerOrThat(words))
    return [...said.topics].some((topic) => !facets.topics.has(topic));
  if (value.namedTopics.size === 0 || !(isSince || endsIt(saidAhead(statement)))) return false;
  return [...said.surelyNamedTopics].some((topic) => !facets.topics.has(topic));
}

/** What its turn has said before it, also in its sentence. */
function saidAhead({ ahead, rest, said }: JudgedStatement): string {
  return `${ahead} ${rest.slice(0, Math.max(0, rest.indexOf(said)))}`;
}

const pointing: ReadonlySet<string> = new Set("it them that this those these one".split(" "));

/** `Closed that account, everything runs through Triodos` */
function endsIt(ahead: string): boolean {
  return facetsOf(ahead).tellsEnd && wordsOf(ahead).some(({ text }) => pointing.has(text));
}

/** `I use another one`, but not `my sister does`. */
function beginsWithSpeakerOrThat(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text))?.text;
  return speakers.has(first ?? "") || first === "it" || first === "that";
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

/** A number for a number, a day for a day. */
function isOfKind({ text }: Word, { numbers, values }: Facets): boolean {
  if (numbers.size > 0) return isNumberWord(text);
  const family = meaningOf(text)?.family;
  return family !== undefined && values.has(family);
}

/** What may stand before a value that is all that is told: `make it 35`, `we're five`, `more like 300`, `for three`. */
const beforeValue: ReadonlySet<string> = new Set([
  ...leadingWords,
  ...`it that i we they is are am at on in for to by with make more like nearer closer rather about around roughly only just now still
  say let us do go`.split(/\s+/),
]);

function beginsWith(words: readonly Word[], isValue: (word: Word) => boolean): boolean {
  const first = words.find((word) => isValue(word) || !beforeValue.has(word.text));
  return first !== undefined && isValue(first);
}
