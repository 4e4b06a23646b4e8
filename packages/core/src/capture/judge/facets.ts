import { isPastTense } from "../../text/past-tense.ts";
import { stopWords } from "../../text/stop-words.ts";
import { claimOf, type ClaimWord, plainStemOf } from "../../recall/claim-words.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { hasVerb } from "../extract/finite-verbs.ts";
import { amounts } from "../extract/number-words.ts";
import { isDateWord, isNameLike, leadingWords, saysInYear } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { isTime, movesInTime, pairs, tellsChange, tellsEnd } from "./changes.ts";
import { movedElsewhere } from "./moved-house.ts";
import { meaningOf } from "./value-families.ts";
import { wordsOfWhatHappened } from "./what-happened.ts";

/** What a number measures. `plain`: nothing that is known. */
export type Quantity = "plain" | "money" | "share" | "time" | "date" | "duration" | "size";

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
  readonly isNegated: boolean;
  /** It says that something is different now. */
  readonly tellsChange: boolean;
  /** It says that something takes place at another time: `moved to 11 June`. */
  readonly movesInTime: boolean;
  /** It is told of a year that was: `in 2019`. */
  readonly happenedOnce: boolean;
  /** It gives a number, a day or a month. */
  readonly saysWhen: boolean;
  /** It says that something is over. */
  readonly tellsEnd: boolean;
  /** Of what ended, where it is a part of something: `screenshots` in `deleted the screenshots of the game`. */
  readonly endedPart: ReadonlySet<string>;
  /** It says that it comes besides: `as well`, `too`, `also`. */
  readonly addsMore: boolean;
  /** It says that all is as it was: `by e-mail, same as ever`. */
  readonly staysAsItWas: boolean;
  /** It says how something is always or never to be. */
  readonly isRule: boolean;
}

/** Longer texts are compared by so many of their first units. */
const longestCompared = 2_000;

const silent: ReadonlySet<string> = new Set(
  "user users team teams family assistant assistants project use uses used want wants prefer prefers need needs like likes please make thing things past quarter half pm run runs go goes get gets keep keeps called call since now last week year new old know using heard hear ask asks asked always never every currently already considering trying include includes including example help helps missing instead take takes took taken taking".split(
    " ",
  ),
);
const negations: ReadonlySet<string> = new Set("not no never nobody nothing none without non neither nor".split(" "));
const ruling: ReadonlySet<string> = new Set("always never every must".split(" "));
const endings: ReadonlySet<string> = wordGroups["ending"] ?? new Set();

/** Reads a text for comparison. Linear in its length. */
export function facetsOf(text: string): Facets {
  const compared = text.slice(0, longestCompared);
  const words = wordsOf(compared);
  // What did not take place gives nothing another value: `I haven't moved to Lisbon`.
  const happened = wordsOfWhatHappened(compared, words);
  const lower = new Set(words.map((word) => word.text));
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
    tellsOfSpeaker:
      words.some(({ text }, index) => isSpeaker(text, words[index + 1]?.text)) ||
      words.slice(0, longestBeginning).some(({ text }, index) => ofSpeaker.has(text) && !leadsTo(doer, words, index)) ||
      isToldOfTheUser(words),
    doer,
    possessed: possessedIn(words),
    values: valuesOf(happened),
    isNegated: happened.some((word) => negations.has(word.text)),
    tellsChange: tellsChange(happened),
    movesInTime: movesInTime(happened),
    happenedOnce: words.some((_, index) => saysInYear(words, index)),
    saysWhen: words.some((word) => isTime(word)),
    tellsEnd: tellsEnd(happened),
    endedPart: endedPartOf(happened),
    addsMore: lower.has("also") || lower.has("too") || lower.has("besides") || pairs(words, "as", "well"),
    staysAsItWas: ["ever", "always", "before", "usual"].some((word) => pairs(words, "as", word)),
    isRule: words.some(({ text }) => ruling.has(text)) || pairs(words, "now", "on") || bansForEver(words),
  };
}

const ofWholes: ReadonlySet<string> = new Set("of from about".split(" "));
/** In words. */
const longestPart = 4;

/** What stands between a verb that ends something and `of`, `from` or `about`. */
function endedPartOf(words: readonly Word[]): ReadonlySet<string> {
  const verb = words.findIndex(({ text }) => endings.has(text));
  const behind = verb < 0 ? [] : words.slice(verb + 1, verb + 2 + longestPart);
  const end = behind.findIndex(({ text }) => ofWholes.has(text));
  return end < 1 || !determiners.has(behind[0]?.text ?? "")
    ? none
    : topicsOf(
        behind
          .slice(0, end)
          .map(({ raw }) => raw)
          .join(" "),
      );
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
  return behind.length === 0 ? none : topicsOf(behind.map(({ raw }) => raw).join(" "));
}

const none: ReadonlySet<string> = new Set();

/** Without what is over: `we dropped Redis` gives no other database, `from Jest to Vitest` gives Vitest. */
function valuesOf(words: readonly Word[]): ReadonlyMap<string, ReadonlySet<string>> {
  const values = new Map<string, Set<string>>();
  for (const [index, { text }] of words.entries()) {
    const meaning = meaningOf(text);
    if (meaning !== undefined && !isOver(words, index) && (meaning.family !== "state" || isState(words, index)))
      values.set(meaning.family, (values.get(meaning.family) ?? new Set()).add(meaning.value));
  }
  return values;
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

/** `I do not trust e-mail` */
function isOfNegatedVerb(words: readonly Word[], verb: number): boolean {
  return words[verb - 1]?.text === "not" && /^(?:do|does|did)$/.test(words[verb - 2]?.text ?? "");
}

function isOver(words: readonly Word[], index: number): boolean {
  const at = determiners.has(words[index - 1]?.text ?? "") ? index - 2 : index - 1;
  const before = words[at]?.text ?? "";
  if (before === "not" || isOfNegatedVerb(words, at)) return true;
  if (exchanging.has(before)) return words.slice(index + 1, index + 4).some(({ text }) => text === "for");
  if (before === "from" || before === "off") return words.slice(index + 1, index + 4).some(({ text }) => text === "to");
  return endings.has(before);
}

/** What a text is about: roots of the words that mean something by themselves, no numbers. Linear in its length. */
export function topicsOf(text: string): ReadonlySet<string> {
  const { words } = claimOf(text);
  const topics = new Set<string>();
  let isElsewhere: boolean | undefined;
  for (const [index, { word }] of words.entries()) {
    if (stopWords.has(word) || silent.has(word) || /^\d/.test(word) || amounts.get(word) !== undefined) continue;
    if (isDateWord(word) || (isOfWork(word) && !saysWhereOneWorks(words, index))) continue;
    const isOfNoHome = word === "moved" && (!saysWhoMoved(words, index) || (isElsewhere ??= movedElsewhere(text)));
    const concept = isOfNoHome ? undefined : conceptOf.get(word);
    topics.add(concept ?? topicOf(word));
  }
  return topics;
}

function isOfWork(word: string): boolean {
  return word === "work" || word === "works";
}

const ofWorkplaces: ReadonlySet<string> = new Set("at for in as from".split(" "));

/** `I work at Corvid`; but `it works now`, `my work phone` and `for work` tell nothing of an employer. */
function saysWhereOneWorks(words: readonly ClaimWord[], index: number): boolean {
  return ofWorkplaces.has(words[index + 1]?.word ?? "");
}

const ofHomes: ReadonlySet<string> = new Set("to into in out from house home here there too again".split(" "));

const timely: ReadonlySet<string> = new Set("end last this yesterday".split(" "));

/** `I moved to Bergen`, `we moved`; but `the class moved to Thursdays` and `we moved the server` tell nothing of a home. */
function saysWhoMoved(words: readonly ClaimWord[], index: number): boolean {
  const [next, behind = ""] = [words[index + 1]?.word, words[index + 2]?.word];
  if (next === undefined) return true;
  // `I moved in December`, `we've moved, end of March`
  const before = words[index - 1]?.word === "have" ? index - 2 : index - 1;
  if (/^(?:i|we|user)$/.test(words[before]?.word ?? "") && ((next === "in" && isDateWord(behind)) || timely.has(next)))
    return true;
  return ofHomes.has(next) && !/^\d/.test(behind) && !amounts.has(behind) && !isDateWord(behind);
}

/** Words that speak of one thing. */
const concepts: Readonly<Record<string, string>> = {
  employment: "work works job employer company started joined hired employed",
  home: "live lives living moved home flat house address",
  sleep: "bed bedtime sleep sleeps asleep wake wakes",
  responsible: "owns own owner maintains leads lead reviews review responsible manages runs",
  deadline: "deadline due",
  meeting: "meet meets meeting meetings stand-up standup",
  release: "deploy deploys deployment deployments release releases deployed",
  price: "price prices cost costs rent fee",
  form: "called call name named addressed",
};
const conceptOf: ReadonlyMap<string, string> = new Map(
  Object.entries(concepts).flatMap(([concept, words]) =>
    words.split(" ").map((word): [string, string] => [word, concept]),
  ),
);

/** `deploys` and `deployment`, `commit` and `commits` are one, and `Jonas` is the same wherever he stands. */
function topicOf(word: string): string {
  const stem = meaningOf(word)?.value ?? plainStemOf(word.toLowerCase());
  return stem.slice(0, 6);
}

const numbered: ReadonlySet<string> = new Set(
  "order invoice claim booking reservation incident parcel shipment flight episode volume lesson room flat apartment suite hall chapter version plot block building floor line platform partner quarter van bus truck route gate bay dock track table desk ticket issue exercise task sprint unit lot bed seat shelf locker box zone lane".split(
    " ",
  ),
);

function isNumberedAt(words: readonly Word[], index: number): boolean {
  return numbered.has(words[index]?.text ?? "") && /^\d/.test(words[index + 1]?.text ?? "");
}

function subjectsOf(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ text }, index) => {
    const next = words[index + 1]?.text ?? "";
    if (isNumberedAt(words, index)) return [`${text} ${next}`];
    if (keyed.has(text)) return keyAt(words, index);
    return wordGroups["relation"]?.has(text) === true && meaningOf(text) === undefined && text !== "team" ? [text] : [];
  });
}

const keyed: ReadonlySet<string> = new Set("number code id pin password".split(" "));
const renewed: ReadonlySet<string> = new Set("new old current former same other own correct".split(" "));
const ofPhones: ReadonlySet<string> = new Set("phone telephone mobile cell work home".split(" "));

/** `account number`, `gate code`: what is another one is no other value. `My number` is that of a telephone. */
function keyAt(words: readonly Word[], index: number): readonly string[] {
  const head = words[index]?.text ?? "";
  const behind = index - 1 - (renewed.has(words[index - 1]?.text ?? "") ? 1 : 0);
  const kind = words[behind]?.text ?? "";
  const isNumber = head === "number" && words[index + 1]?.text !== "of";
  if (isNumber && (ofPhones.has(kind) || owners.has(kind) || kind === "'s" || kind.endsWith("'s")))
    return ["phone number"];
  return kind === "" || stopWords.has(kind) || silent.has(kind) || isFinite(Number(kind)) ? [] : [`${kind} ${head}`];
}

const owners: ReadonlySet<string> = new Set("i we my our user team family".split(" "));
/** The speaker is one of them. */
const together: ReadonlySet<string> = new Set("family team".split(" "));
/** In words: what leads up to whoever is spoken of, as `oh by the way` does. */
const longestLead = 4;
/** `my much younger sister` */
const longestOwner = 3;

/**
 * Whoever the speaker has, at the beginning: `my dad's birthday`, `the user's sister`, `where does your wife work`. Who says `I` as well
 * speaks of both, `my sister and I moved`, unless it is in another clause: `my sister moved to Brussels and I visit her`.
 */
function personOf(words: readonly Word[]): string | undefined {
  const first = words.slice(0, longestLead + 1).findIndex(({ text }) => owners.has(text) || text === "your");
  if (first < 0) return undefined;
  const owned = words.slice(first + 1, first + 1 + longestOwner).map(({ text }) => text);
  const isPossessed = /^(?:my|our|your)$/.test(words[first]?.text ?? "") || owned[0] === "'s";
  const place = isPossessed
    ? owned.findIndex((text) => wordGroups["relation"]?.has(text) === true && !together.has(text))
    : -1;
  if (place < 0) return undefined;
  const speaker = words.findIndex(({ text }) => text === "i" || text === "we");
  const between = words.slice(first + 1 + place, Math.max(0, speaker)).map(({ text }) => text);
  return speaker < 0 || between.some((text) => isPastTense(text) || wordGroups["does"]?.has(text) === true)
    ? owned[place]
    : undefined;
}

/** Whom a sentence may begin with who is not the speaker: `Dad cancelled his`, `the couple upstairs moved out`. */
const others: ReadonlySet<string> = new Set(
  "mum mom dad granny grandma grandpa somebody someone people couple neighbours neighbors neighbour neighbor colleague colleagues coworker coworkers tenant tenants guy guys woman lady folks students parents friend friends flatmate flatmates roommate roommates housemate mate mates girl boy man".split(
    " ",
  ),
);
/** Whether a doer is one of those who are not called by a name. */
export function isOfOthers(doer: string): boolean {
  return others.has(doer);
}

const beforeOthers: ReadonlySet<string> = new Set("the a some my our two three".split(" "));
/** In words. */
const longestSubject = 3;
/** `Half of the class dropped out` */
const partly: ReadonlySet<string> = new Set("half most some many several one two three".split(" "));

function isPastVerb(word: string): boolean {
  return doneByNow.has(word) || /[^e]ed$/.test(word);
}

const doneByNow: ReadonlySet<string> = new Set("was moved left quit started stopped".split(" "));

const ofSpeaker: ReadonlySet<string> = new Set("my our me us".split(" "));
/** `The doctor halved my dose`. In words. */
const longestBeginning = 6;

function isSpeaker(text: string, next: string | undefined): boolean {
  return text === "i" || text === "we" || ((text === "user" || text === "team") && next !== "'s");
}

const ofWhom: ReadonlySet<string> = new Set("from in of at".split(" "));

/** `My flatmate has stopped`, `one of my old mates left`, `a friend from my year`: tells whose the doer is, and nothing of the speaker. */
function leadsTo(doer: string | undefined, words: readonly Word[], index: number): boolean {
  const isBehind = words[index - 2]?.text === doer && ofWhom.has(words[index - 1]?.text ?? "");
  if (isBehind && others.has(doer ?? "")) return true;
  return words.slice(index + 1, index + 1 + longestOwner).some(({ text }) => text === doer && others.has(text));
}

/** `Goes swimming`, `Has a dog`: a verb without a subject. */
function isToldOfTheUser([first, second]: readonly Word[]): boolean {
  if (first === undefined || second === undefined || first.start > 0 || second.text === "not") return false;
  if (first.text === "is" && /^(?:an?|the)$/.test(second.text)) return true;
  return (
    wordGroups["does"]?.has(first.text) === true ||
    (/\p{L}{3}[^s']s$/u.test(first.text) && !hasVerb([second]) && !isPastVerb(second.text))
  );
}

/** `I eat fish`, `Eats fish`, `The user eats fish` are of the user, `Paul eats fish` is of Paul. */
function doerOf(words: readonly Word[]): string | undefined {
  const start = words.findIndex(({ text }) => !leadingWords.has(text));
  const [first, second, third] = words.slice(start);
  if (first === undefined) return undefined;
  if (
    isToldOfTheUser(words) ||
    first.text === "i" ||
    (first.text === "the" && second?.text === "user" && third?.text !== "'s")
  )
    return "user";
  if (/^(?:he|she)$/.test(first.text)) return first.text;
  if (second?.text === "of" && partly.has(first.text)) return first.text;
  const somebody = words.slice(start, start + longestSubject).find(({ text }) => others.has(text));
  if (somebody !== undefined && (somebody === first || beforeOthers.has(first.text))) return somebody.text;
  const verb = second?.text ?? "";
  // `Finally cancelled it` names nobody.
  const isDoer = /^\p{Lu}\p{Ll}/u.test(first.raw) && !first.text.endsWith("ly") && isNameLike(first, 1);
  return isDoer && (wordGroups["does"]?.has(verb) === true || isPastVerb(verb)) ? first.text : undefined;
}

/** `No wolves in bedtime stories, ever`. */
function bansForEver(words: readonly Word[]): boolean {
  const ban = words.findIndex(({ text }) => negations.has(text));
  return ban >= 0 && words.some(({ text }, index) => text === "ever" && index > ban);
}

/** A number, and what it measures. */
interface MeasuredNumber {
  readonly value: string;
  readonly quantity: Quantity;
}

const ordinals: ReadonlySet<string> = new Set("first third".split(" "));

/** `In the first person`, but `the first of May`. */
function isOrdinalOfWords(words: readonly Word[], index: number): boolean {
  const next = words[index + 1]?.text ?? "";
  return ordinals.has(words[index]?.text ?? "") && next !== "" && next !== "of" && !isDateWord(next);
}

function numbersOf(words: readonly Word[]): readonly MeasuredNumber[] {
  const found: MeasuredNumber[] = [];
  for (const [index, { text }] of words.entries()) {
    const past = words[index + 1]?.text === "past" ? pastShares.get(text) : undefined;
    if (past !== undefined) {
      found.push({ value: String((amounts.get(words[index + 2]?.text ?? "") ?? 0) + past), quantity: "time" });
      continue;
    }
    if (words[index - 1]?.text === "past" && pastShares.has(words[index - 2]?.text ?? "")) continue;
    // `Van 9` is called so.
    if (isNumberedAt(words, index - 1)) continue;
    const value = /^\d/.test(text)
      ? numberIn(text)
      : text === "one" || text === "second" || isOrdinalOfWords(words, index)
        ? undefined
        : amounts.get(text);
    if (value === undefined) continue;
    const next = words[index + 1]?.text;
    const scaled =
      next === "thousand"
        ? value * 1_000
        : next === "hundred"
          ? value * 100
          : next === "million"
            ? value * 1_000_000
            : value;
    const isAfternoon = (next === "pm" || text.endsWith("pm")) && scaled < 12;
    found.push({ value: String(isAfternoon ? scaled + 12 : scaled), quantity: quantityAt(words, index) });
  }
  return found;
}

function quantitiesOf(numbers: readonly MeasuredNumber[]): ReadonlyMap<Quantity, ReadonlySet<string>> {
  const found = new Map<Quantity, Set<string>>();
  for (const { value, quantity } of numbers) found.set(quantity, (found.get(quantity) ?? new Set()).add(value));
  return found;
}

const units: Readonly<Record<Exclude<Quantity, "plain">, ReadonlySet<string>>> = {
  money: new Set(
    "$ \u20ac \u00a3 euro euros eur dollar dollars usd pound pounds gbp franc francs chf cent cents crown crowns krona kronor krone kroner zloty zlotys yen yuan rupee rupees peso pesos quid bucks grand".split(
      " ",
    ),
  ),
  share: new Set("% percent".split(" ")),
  time: new Set("am pm o'clock".split(" ")),
  date: new Set(),
  duration: new Set(
    "ms millisecond milliseconds second seconds minute minutes min mins hour hours day days week weeks month months year years".split(
      " ",
    ),
  ),
  size: new Set(
    "kb mb gb tb kilobytes megabytes gigabytes km kilometres kilometers metres meters cm mm kg kilos grams g tonnes litres liters".split(
      " ",
    ),
  ),
};
const written: readonly (readonly [RegExp, Quantity])[] = [
  [/^\d{1,2}:\d{2}|^\d{1,2}(?:am|pm)$|^(?:noon|midnight)$/, "time"],
  [/^\d{1,2}(?:st|nd|rd|th)$/, "date"],
  [/^[\d.,]{1,12}(?:ms|min|h)$/, "duration"],
  [/^[\d.,]{1,12}(?:kb|mb|gb|tb|km|cm|mm|kg)$/, "size"],
];

/** `CZK`, in capitals: `all` and `try` are codes as well. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

/** By the number itself, or the word behind or before it: `75 euros`, `$75`, `250ms`, `March 22`. */
function quantityAt(words: readonly Word[], index: number): Quantity {
  const text = words[index]?.text ?? "";
  const [before = "", behind = ""] = [words[index - 1]?.text, words[index + 1]?.text];
  for (const [form, quantity] of written) if (form.test(text)) return quantity;
  if (currencies.has(words[index + 1]?.raw ?? "") || currencies.has(words[index - 1]?.raw ?? "")) return "money";
  for (const [quantity, names] of Object.entries(units) as [Quantity, ReadonlySet<string>][])
    if (names.has(behind) || (quantity === "money" && names.has(before))) return quantity;
  return isDateWord(before) || meaningOf(behind)?.family === "month" ? "date" : "plain";
}

/** `a quarter past nine` is 9.25. */
const pastShares: ReadonlyMap<string, number> = new Map([
  ["quarter", 0.25],
  ["half", 0.5],
]);

/** `1,550` and `1.550` are 1550, `23k` is 23000, `9:15` is 9.25, `12th` is 12, `01:00` is 1. */
function numberIn(text: string): number | undefined {
  const time = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (time !== null) return Number(time[1]) + Number(time[2]) / 60;
  const value = Number.parseFloat(text.replaceAll(/,(?=\d{3})|(?<=^[1-9]\d{0,2})\.(?=\d\d0$)/g, ""));
  if (Number.isNaN(value)) return undefined;
  return /^[\d.,]{1,12}k$/.test(text) ? value * 1_000 : value;
}

/** Whether words name a day or month. */
export function namesDate(text: string): boolean {
  return wordsOf(text.slice(0, longestCompared)).some((word) => isDateWord(word.text));
}
