import { wordGroups } from "../extract/word-groups.ts";
import { amounts } from "../extract/number-words.ts";
import { isRelativeValue } from "../extract/relative-values.ts";
import { isDateWord, isNameLike, leadingWords, saysInYear } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { isTime, movesInTime, pairs, tellsChange, tellsEnd } from "./changes.ts";
import { numbersOf, quantitiesOf, type Quantity } from "./said-numbers.ts";
import { setAsideIn } from "./set-aside.ts";
import { subjectsOf } from "./subjects.ts";
import { type ThingToldOf, thingToldOf } from "./thing-told-of.ts";
import { topicOf, topicsOf } from "./topics.ts";
import { meaningOf } from "./value-families.ts";
import { wordsOfWhatHappened } from "./what-happened.ts";
import { doerOf, isToldOfTheUser, owners, personOf, tellsOfSpeaker } from "./who-is-told-of.ts";

/** What a text says, in the parts that are compared. */
export interface Facets {
  /** Stems of words that mean something by themselves; no numbers. */
  readonly topics: ReadonlySet<string>;
  /** Amounts, counts, clock times and days of months, each as one number: `18:00`, `six pm` are 18. */
  readonly numbers: ReadonlySet<string>;
  /** The same by what they measure, as far as that is said: `75 euros` is no time. */
  readonly quantities: ReadonlyMap<Quantity, ReadonlySet<string>>;
  readonly names: ReadonlySet<string>;
  /** Of the topics those that are names: who is meant, and not what is said. */
  readonly namedTopics: ReadonlySet<string>;
  /** The same without a word that a sentence begins with, which may be a name or any other. */
  readonly surelyNamedTopics: ReadonlySet<string>;
  /** Whom or which of several it is about: `sister`, `room 204`. */
  readonly subjects: ReadonlySet<string>;
  /** Whose it is, of those the speaker has: `sister` in `my younger sister moved`. Absent: the speaker's own, or of nobody known. */
  readonly person: string | undefined;
  /** It says `I`, `we`, `my`, or the same in the third person. */
  readonly isOwn: boolean;
  /** It says `I` or `we`, or the same in the third person, or `my` at the beginning. */
  readonly tellsOfSpeaker: boolean;
  /** What it begins with does something: the speaker, or whoever is named, in lower case. Absent: something else. */
  readonly doer: string | undefined;
  /** Of the topics those that somebody named has: `office` in `Anna's office moved`. */
  readonly possessed: ReadonlySet<string>;
  /** Values by their family. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same that it says are not so, or no longer: `call` in `text me, don't call`. */
  readonly valuesGivenUp: ReadonlyMap<string, ReadonlySet<string>>;
  readonly isNegated: boolean;
  /** It says that something is different now. */
  readonly tellsChange: boolean;
  /** It says that something takes place at another time: `moved to 11 June`. */
  readonly movesInTime: boolean;
  /** It says so by how much: `half an hour later`. */
  readonly shiftsInTime: boolean;
  /** It is told of a year that was: `in 2019`. */
  readonly happenedOnce: boolean;
  /** It gives a number, a day or a month. */
  readonly saysWhen: boolean;
  /** It says that something is over. */
  readonly tellsEnd: boolean;
  /** Of what ended, where more is told: `screenshots` in `deleted the screenshots of the game`, `car` in `sold the car so I take the bus`. */
  readonly endedPart: ReadonlySet<string>;
  /** What it only tells something of that was, beside what is: topics. */
  readonly setAside: ReadonlySet<string>;
  /** It says that it comes besides: `as well`, `too`, `also`. */
  readonly addsMore: boolean;
  /** It says so of what it tells first: `we have a cat as well now, she is called Pepper`. */
  readonly addsAtOnce: boolean;
  /** It says that all is as it was: `by e-mail, same as ever`. */
  readonly staysAsItWas: boolean;
  /** It says how something is always or never to be. */
  readonly isRule: boolean;
  /** What it tells something of. */
  readonly thing: ThingToldOf;
  readonly words: readonly Word[];
}

/** Longer texts are compared by so many of their first units. */
const longestCompared = 2_000;

const negations: ReadonlySet<string> = new Set("not no never nobody nothing none without non neither nor".split(" "));
const ruling: ReadonlySet<string> = new Set("always never every must".split(" "));
const endings: ReadonlySet<string> = wordGroups["ending"] ?? new Set();

/** Reads a text for comparison. Linear in its length. */
export function facetsOf(text: string): Facets {
  const compared = text.slice(0, longestCompared);
  const words = wordsOf(compared);
  // What did not take place gives nothing another value: `I haven't moved to Lisbon`.
  const happened = wordsOfWhatHappened(compared, words);
  const numbers = numbersOf(happened);
  const topics = topicsOf(compared);
  const names = new Set(happened.filter((word, index) => isName(word, index)).map((word) => word.text));
  const rootsOfNames = new Set([...names].map(topicOf));
  const inside = words.slice(1).filter((word, index) => isName(word, index + 1));
  const rootsInside = new Set(inside.map((word) => topicOf(word.text)));
  const doer = doerOf(words);
  return {
    topics,
    numbers: new Set(numbers.map(({ value }) => value)),
    quantities: quantitiesOf(numbers),
    names,
    namedTopics: new Set([...topics].filter((topic) => rootsOfNames.has(topic))),
    surelyNamedTopics: new Set([...topics].filter((topic) => rootsInside.has(topic))),
    subjects: new Set(subjectsOf(words)),
    person: personOf(words),
    isOwn: words.some(({ text }) => owners.has(text)) || isToldOfTheUser(words),
    tellsOfSpeaker: tellsOfSpeaker(words, doer),
    doer,
    possessed: possessedIn(words),
    values: valuesOf(happened, (index) => !isOver(happened, index)),
    valuesGivenUp: valuesOf(happened, (index) => isOver(happened, index)),
    isNegated: happened.some((word) => negations.has(word.text)),
    tellsChange: tellsChange(happened),
    movesInTime: movesInTime(happened),
    shiftsInTime: isRelativeValue(happened),
    happenedOnce: words.some((_, index) => saysInYear(words, index)),
    saysWhen: words.some((word) => isTime(word)),
    tellsEnd: tellsEnd(happened),
    endedPart: endedPartOf(happened),
    setAside: setAsideIn(compared),
    addsMore: addsMore(words),
    addsAtOnce: addsMore(words) && addsMore(wordsOf(compared.split(/[,;.!?](?=\s)/, 1)[0] ?? "")),
    staysAsItWas: ["ever", "always", "before", "usual"].some((word) => pairs(words, "as", word)),
    isRule: words.some(({ text }) => ruling.has(text)) || pairs(words, "now", "on") || bansForEver(words),
    thing: thingToldOf(compared, words),
    words,
  };
}

function addsMore(words: readonly Word[]): boolean {
  return (
    words.some(({ text }) => text === "also" || text === "too" || text === "besides") || pairs(words, "as", "well")
  );
}

const ofWholes: ReadonlySet<string> = new Set("of from about".split(" "));
/** In words. */
const longestPart = 4;

const quantifiers: ReadonlySet<string> = new Set("much many few little far long that".split(" "));

/** What stands between a verb that ends something and `of`, `from` or `about`; or before what follows from its end. */
function endedPartOf(words: readonly Word[]): ReadonlySet<string> {
  const so = words.findIndex(
    ({ text }, index) => text === "so" && index > 1 && !quantifiers.has(words[index + 1]?.text ?? ""),
  );
  if (so > 0 && tellsEnd(words.slice(0, so)) && !tellsEnd(words.slice(so))) return topicsOfWords(words.slice(0, so));
  const verb = words.findIndex(({ text }) => endings.has(text));
  const behind = verb < 0 ? [] : words.slice(verb + 1, verb + 2 + longestPart);
  const end = behind.findIndex(({ text }) => ofWholes.has(text));
  return end < 1 || !determiners.has(behind[0]?.text ?? "") ? none : topicsOfWords(behind.slice(0, end));
}

function topicsOfWords(words: readonly Word[]): ReadonlySet<string> {
  return topicsOf(words.map(({ raw }) => raw).join(" "));
}

/** The end of `Anna's` is none, nor are `Twelve` and `Oh` at the beginning. */
function isName(word: Word, index: number): boolean {
  if (index === 0 && leadingWords.has(word.text)) return false;
  return word.text !== "'s" && !amounts.has(word.text) && isNameLike(word, index);
}

/** In words: `Bram's football practice` */
const longestPossession = 2;

function possessedIn(words: readonly Word[]): ReadonlySet<string> {
  const behind = words.flatMap(({ text, raw }, index) =>
    text === "'s" && /^\p{Lu}/u.test(raw) ? words.slice(index + 1, index + 1 + longestPossession) : [],
  );
  return behind.length === 0 ? none : topicsOfWords(behind);
}

const none: ReadonlySet<string> = new Set();

/** Without what is over: `we dropped Redis` gives no other database, `from Jest to Vitest` gives Vitest. */
function valuesOf(
  words: readonly Word[],
  isMeant: (index: number) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>();
  for (const [index, { text }] of words.entries()) {
    const meaning = meaningOf(text);
    if (meaning !== undefined && isMeant(index) && isSaidSo(meaning.family, words, index))
      values.set(meaning.family, (values.get(meaning.family) ?? new Set()).add(meaning.value));
    if (isOccupation(words, index) && isMeant(index))
      values.set("occupation", (values.get("occupation") ?? new Set()).add(topicOf(text)));
    const often = eachPeriods.has(words[index - 1]?.text ?? "") ? periods.get(text) : undefined;
    if (often !== undefined) values.set("often", (values.get("often") ?? new Set()).add(often));
  }
  return values;
}

/** In words: `a junior web developer`. */
const longestOccupation = 3;
const beingOne: ReadonlySet<string> = new Set("is am are as became become".split(" "));

/** `Works as a baker`, `I am a tram driver`; but `the baker called`, `my dentist is away`. */
function isOccupation(words: readonly Word[], index: number): boolean {
  if (wordGroups["occupation"]?.has(words[index]?.text ?? "") !== true) return false;
  const from = Math.max(0, index - longestOccupation);
  const article = words.slice(from, index).findLastIndex(({ text }) => text === "a" || text === "an");
  const before = words[from + article - 1]?.text;
  return (
    article >= 0 &&
    (before === undefined || beingOne.has(before) || beingOne.has(words[from + article - 2]?.text ?? ""))
  );
}

const eachPeriods: ReadonlySet<string> = new Set("every each".split(" "));
/** `Every week` is weekly. */
const periods: ReadonlyMap<string, string> = new Map([
  ["day", "daily"],
  ["week", "weekly"],
  ["month", "monthly"],
  ["quarter", "quarterly"],
  ["year", "yearly"],
]);

function isSaidSo(family: string, words: readonly Word[], index: number): boolean {
  if (family === "state") return isState(words, index);
  if (family === "colour") return isColourOfIt(words, index);
  if (family === "buildServer" || family === "codeHost") return isWholeName(words, index);
  if (family === "maritalStatus" && meetsPartner(words, index) !== undefined)
    return meetsPartner(words, index) === true;
  if (words[index]?.text === "single") return pairsWithBeing(words, index);
  return family !== "partOfDay" || isPartOfDay(words, index);
}

const beforeColour: ReadonlySet<string> = new Set(
  "is are was were be in to painted dyed turned went now bright dark light pale deep".split(" "),
);

/** `The logo is blue`, `painted it in dark green`; but the blue team is one of several. */
function isColourOfIt(words: readonly Word[], index: number): boolean {
  const behind = words[index + 1]?.text;
  const endsThere = behind === undefined || wordGroups["common"]?.has(behind) === true;
  return endsThere && beforeColour.has(words[index - 1]?.text ?? "");
}

/** `GitHub Actions` is no host of code, and other actions build nothing. */
function isWholeName(words: readonly Word[], index: number): boolean {
  const [before, text, behind] = [words[index - 1]?.text, words[index]?.text, words[index + 1]?.text];
  return text === "actions" ? before === "github" : !(text === "github" && behind === "actions");
}

const partners: ReadonlySet<string> = new Set("taken girlfriend boyfriend fiance fiancee".split(" "));
const having: ReadonlySet<string> = new Set("have has got".split(" "));

/** `I have a girlfriend`, but not `my girlfriend moved`. Nothing: it is no partner. */
function meetsPartner(words: readonly Word[], index: number): boolean | undefined {
  const [verb, article, partner] = words.slice(Math.max(0, index - 2), index + 1).map(({ text }) => text);
  if (!partners.has(words[index]?.text ?? "")) return undefined;
  return partner !== "taken" && article === "a" && having.has(verb ?? "");
}

const beingSo: ReadonlySet<string> = new Set("is am are was been being still now".split(" "));

/** `I am single`, but not `a single room`. */
function pairsWithBeing(words: readonly Word[], index: number): boolean {
  const [before, behind] = [words[index - 1]?.text, words[index + 1]?.text];
  const endsThere = behind === undefined || wordGroups["common"]?.has(behind) === true;
  return endsThere && (before === undefined || beingSo.has(before));
}

const daily: ReadonlySet<string> = new Set("the every each other at".split(" "));

/** `In the morning`, `every evening`, `at night`, `mornings`; but the morning class is one of several. */
function isPartOfDay(words: readonly Word[], index: number): boolean {
  const [before = "", text = "", behind] = [words[index - 1]?.text, words[index]?.text, words[index + 1]?.text];
  const isTold = text.endsWith("s") || daily.has(before);
  return isTold && (behind === undefined || wordGroups["common"]?.has(behind) === true);
}

const switching: ReadonlySet<string> = new Set(
  "is are was be turn turned switch switched keep stay stays set leave".split(" "),
);

/** `The heating is off`, `turn it off`; but `off work` and `on her shoulder` are no state. */
function isState(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  return next === undefined || switching.has(words[index - 1]?.text ?? "");
}

/** `Swapped Korean for Japanese` gives Japanese. */
const exchanging: ReadonlySet<string> = new Set("swapped traded exchanged".split(" "));
const determiners: ReadonlySet<string> = new Set("a an the this that my our his her their all".split(" "));

const leadingAway: ReadonlySet<string> = new Set(["out of", "away from", "rid of", "done with", "finished with"]);

/** `I do not trust e-mail` */
function isOfNegatedVerb(words: readonly Word[], verb: number): boolean {
  return words[verb - 1]?.text === "not" && /^(?:do|does|did)$/.test(words[verb - 2]?.text ?? "");
}

function isOver(words: readonly Word[], index: number): boolean {
  const at = determiners.has(words[index - 1]?.text ?? "") ? index - 2 : index - 1;
  const before = words[at]?.text ?? "";
  if (before === "not" || isOfNegatedVerb(words, at)) return true;
  if (exchanging.has(before)) return words.slice(index + 1, index + 4).some(({ text }) => text === "for");
  // `Exported them out of Evernote`, `we are moving away from Heroku`
  if (leadingAway.has(`${words[at - 1]?.text} ${before}`)) return true;
  if (before === "from" || before === "off") return words.slice(index + 1, index + 4).some(({ text }) => text === "to");
  return endings.has(before);
}

/** `No wolves in bedtime stories, ever`. */
function bansForEver(words: readonly Word[]): boolean {
  const ban = words.findIndex(({ text }) => negations.has(text));
  return ban >= 0 && words.some(({ text }, index) => text === "ever" && index > ban);
}

/** Whether words name a day or month. */
export function namesDate(text: string): boolean {
  return wordsOf(text.slice(0, longestCompared)).some((word) => isDateWord(word.text));
}
