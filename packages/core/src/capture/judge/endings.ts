import { denies } from "../extract/corrections.ts";
import { readClause } from "../extract/read-clause.ts";
import { clausesOf } from "../extract/sentences.ts";
import { leadingWords } from "../extract/word-kinds.ts";
import { wordGroups } from "../extract/word-groups.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { isTime, pairs, tellsChange, tellsEnd } from "./changes.ts";
import { endingWords } from "./ending-words.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { areByOthers, areOfOthers, isOfAnotherOfTheirs, isOfAnotherPart } from "./told-of-another.ts";
import { areApart } from "./set-relations.ts";
import { turnsOfEndingIn } from "./turns-of-ending.ts";
import { tellOfTwoThings } from "./two-things.ts";
import { topicsOf } from "./topics.ts";
import { withoutWhatDidNotHappen } from "./what-happened.ts";

/** What a statement says is over, and what it says besides. */
export interface Ending {
  /** Of the clause that tells it. */
  readonly over: Facets;
  /** What it is about: the topics without those that only tell that it is over. */
  readonly topics: ReadonlySet<string>;
  /** It says what is not so, `Not Tuesdays`, and not that something is over. */
  readonly isDenied: boolean;
  /** It is said of something that was spoken of: `it's gone`, `last session was in May`. */
  readonly pointsBack: boolean;
  /** Who left or died is somebody; what is history is no person. */
  readonly isOfSomebody: boolean;
  /** Whether the other clauses tell something that may take its place. */
  readonly hasSuccessor: boolean;
  /** It tells what was given for another thing, or what won over it: `swapped handball for judo`, `the e-reader won`. */
  readonly isExchange: boolean;
}

/** A clause with its words. */
interface ReadPart {
  readonly text: string;
  readonly words: readonly Word[];
  /** It tells what was given for something that stands behind it. */
  readonly isGiven: boolean;
}

/** The clauses of a statement that say that something is over. Linear in its length. */
export function endingsOf(said: string): readonly Ending[] {
  const clauses = clausesOf(said)
    .flatMap(({ text }) => exchangedOf(text))
    .map((part): ReadPart => ({ ...part, words: wordsOf(part.text) }));
  const happened = new Set(withoutWhatDidNotHappen(clauses.map(({ words }) => words)));
  // `No gym tonight` is over tomorrow.
  const over = clauses.filter(
    (part) =>
      (happened.has(part.words) &&
        tellsOver(part) &&
        (endsForGood(part) || isCalledOff(part.words) || readClause(part.words).refusal !== "TRANSIENT")) ||
      isDenial(part.words),
  );
  if (over.length === 0) return [];
  const { names } = facetsOf(said);
  const hasSuccessor = clauses.some((part) => !over.includes(part) && mayTakePlace(part, names));
  const hasWinner = clauses.some(({ words }) => words.some(({ text }) => winning.has(text)));
  return over.map(({ text, words, isGiven }) => {
    const isDenied = isDenial(words);
    // A value that is denied is none of what it says.
    const facets = facetsOf(isDenied ? text.replace(/^[^\p{L}]{0,3}not\s/iu, "") : text);
    return {
      over: facets,
      topics: aboutOf(facets),
      isDenied,
      pointsBack: words.some((word) => referring.has(word.text)),
      isOfSomebody: words.some((word) => leaving.has(word.text)) || pairs(words, "passed", "away"),
      hasSuccessor: hasSuccessor || isGiven,
      isExchange: isGiven || hasWinner,
    };
  });
}

const winning: ReadonlySet<string> = new Set("won wins beats".split(" "));

const exchange =
  /(?<![\p{L}\p{N}])(?:(?:traded|swapped|exchanged)\s[^,;:]{1,60}?\s(?=for\s)|replaced\s(?:(?!(?:of|on|in|at|from|for|to)\s)[^\s,;:]{1,30}\s){1,5}?(?=(?:with|by)\s))/iu;

/** `Traded the Fiesta in for a Niro`, `replaced the MacBook with a ThinkPad`: what was given, and what was taken. */
function exchangedOf(clause: string): readonly Omit<ReadPart, "words">[] {
  const given = exchange.exec(clause);
  if (given === null) return [{ text: clause, isGiven: false }];
  const end = given.index + given[0].length;
  return [
    { text: clause.slice(0, end), isGiven: true },
    { text: clause.slice(end), isGiven: false },
  ];
}

/**
 * Whether what is over is what a memory says: at least half of what the clause is about stands in it or in its slot, or it says
 * hardly anything itself, `it's gone`, and the memory was spoken of. A name alone is whose it is, unless they have left where they work.
 *
 * @param isSpokenOf the memory, just before
 * @param before what was said just before
 */
export function endsWith(
  ending: Ending,
  memory: Facets,
  {
    slotTopics,
    isSpokenOf,
    before,
  }: { readonly slotTopics: ReadonlySet<string>; readonly isSpokenOf: boolean; readonly before: Facets },
): boolean {
  const { over, topics } = ending;
  // `Not any more` names nothing.
  if (ending.isDenied) return deniesValue(over, memory, before) || (saysNothingElse(over) && isSpokenOf);
  // `1.29 is history`
  if (topics.size === 0 && deniesValue(over, memory, before)) return true;
  if (
    (topics.size === 0 || (topics.size === 1 && ending.pointsBack)) &&
    isSpokenOf &&
    !areOfOthers(memory, over) &&
    !areApart(over.names, memory.names)
  )
    return true;
  const met = [...topics].filter((topic) => memory.topics.has(topic) || slotTopics.has(topic));
  if (met.length === 0 || 2 * met.length < topics.size) return false;
  if (isOfAnotherPart(memory, over) || tellOfTwoThings(memory.thing, over.thing)) return false;
  if (isOfSomebodyElse(over, memory) || isOfAnotherKind(over, memory)) return false;
  const isOther = (one: Facets, other: Facets): boolean =>
    [...one.surelyNamedTopics].some((topic) => !other.topics.has(topic));
  if (isOther(over, memory) && isOther(memory, over)) return false;
  const possessed = new Set([...over.possessed].filter((topic) => !silent.has(topic)));
  if (isOfAnotherOfTheirs(memory, { ...over, possessed })) return false;
  const isNamed = met.every((topic) => over.namedTopics.has(topic) || memory.namedTopics.has(topic));
  return !isNamed || !ending.isOfSomebody || memory.topics.has("employment") || memory.topics.size <= fewTopics;
}

function saysNothingElse({ tellsEnd, topics, numbers, names, values }: Facets): boolean {
  return tellsEnd && topics.size + numbers.size + names.size + values.size === 0;
}

/** `My colleague quit Corvid`, `Tom left Corvid`; but of whom a memory speaks may end it: `Jonas has bailed`. */
function isOfSomebodyElse(over: Facets, memory: Facets): boolean {
  return areOfOthers(memory, over) || (areByOthers(memory, over) && !memory.names.has(over.doer ?? ""));
}

/** `The Wednesday league folded` ends no Sunday league. */
function isOfAnotherKind(over: Facets, memory: Facets): boolean {
  return [...over.values].some(([family, values]) => areApart(values, memory.values.get(family) ?? new Set()));
}

/** Whether one of the values, names and numbers that are denied is the memory's, and was just named. */
function deniesValue(denied: Facets, memory: Facets, before: Facets): boolean {
  const isMeant = (valuesOf: (facets: Facets) => ReadonlySet<string> | undefined): boolean =>
    [...(valuesOf(denied) ?? [])].some((value) => isNamed(value, valuesOf(memory)) && isNamed(value, valuesOf(before)));
  return (
    isMeant(({ names }) => names) ||
    isMeant(({ numbers }) => numbers) ||
    denied.values.keys().some((family) => isMeant(({ values }) => values.get(family)))
  );
}

/** `F4` stands for `STM32F4`. */
function isNamed(value: string, names: ReadonlySet<string> | undefined): boolean {
  if (names === undefined) return false;
  return names.has(value) || (/\p{L}\d/u.test(value) && [...names].some((name) => name.endsWith(value)));
}

/** Where a memory is about no more, a name is what it is about. */
const fewTopics = 2;

const tellingOnly =
  "replaced passed away altogether completely entirely gone over dead history scrap cancel stop drop bin end plug pulled shut handed back longer day days week weeks month months year ago ages place gave given away packed traded oh ah nope stepped down came come";

/** Without the words that tell that it is over, and when. */
function aboutOf({ topics }: Facets): ReadonlySet<string> {
  return new Set([...topics].filter((topic) => !silent.has(topic)));
}

const leaving: ReadonlySet<string> = new Set("left quit retired died gone bailed last".split(" "));
const endings: ReadonlySet<string> = new Set([...endingWords, "traded", "swapped", "exchanged"]);
const silent: ReadonlySet<string> = topicsOf([...endings, ...tellingOnly.split(" ")].join(" "));
const callingOff: ReadonlySet<string> = new Set("stop cancel scrap drop bin forget".split(" "));

/** In words. */
const longestDenial = 5;

/** `Not Tuesdays`, `not quarterly any longer` */
function isDenial(words: readonly Word[]): boolean {
  return denies(words) && words.filter(({ text }) => !leadingWords.has(text)).length <= longestDenial;
}

const overPhrases: readonly (readonly string[])[] = [
  "is history",
  "killed the",
  "no more",
  "there is no",
  "there are no",
  "shut down",
  "went back",
  "torn out",
  "switched off",
  "have not got",
  "has not got",
  "had to stop",
  "had to give up",
  "off the table",
  "fell through",
].map((phrase) => phrase.split(" "));
/** With some words between them: `handed that back`. */
const apartPhrases: readonly (readonly [string, string])[] = [
  ["last", "was"],
  ["was", "last"],
  ["was", "final"],
  ["handed", "back"],
  ["handed", "over"],
  ["handed", "in"],
  ["packed", "in"],
  ["gave", "back"],
  ["gave", "away"],
  ["pulled", "plug"],
  ["gave", "up"],
  ["given", "up"],
  ["called", "off"],
  ["ripped", "out"],
  ["kicked", "out"],
  ["threw", "out"],
  ["thrown", "out"],
  ["shut", "good"],
];

function tellsOver({ words, isGiven }: ReadPart): boolean {
  if (isGiven) return true;
  const first = words.find(({ text }) => !leadingWords.has(text) && text !== "just");
  if (first !== undefined && callingOff.has(first.text)) return true;
  const has = (texts: readonly string[]): boolean =>
    words.some((_, at) => texts.every((text, behind) => words[at + behind]?.text === text));
  // `She's gone to Leipzig` tells where she is.
  if (has(["gone", "to"])) return false;
  return (
    tellsEnd(words) ||
    words.some(({ text }) => endings.has(text)) ||
    overPhrases.some(has) ||
    apartPhrases.some(([one, other]) => isApart(words, one, other)) ||
    isCalledOff(words)
  );
}

/** `The puffin trip is off` */
function isCalledOff(words: readonly Word[]): boolean {
  return words.at(-1)?.text === "off" && /^(?:is|are|called)$/.test(words.at(-2)?.text ?? "");
}

/** `Handed back the keys yesterday` is told of a day, and lasts. */
function endsForGood({ words, isGiven }: ReadPart): boolean {
  return (
    isGiven ||
    pairs(words, "passed", "away") ||
    words.some(({ text }) => endings.has(text) && !passing.has(text)) ||
    turnsOfEndingIn(words).length > 0 ||
    apartPhrases.some(([one, other]) => isApart(words, one, other)) ||
    words.some(({ text }) => wholly.has(text)) ||
    pairs(words, "for", "good")
  );
}

const wholly: ReadonlySet<string> = new Set("completely entirely altogether permanently".split(" "));
/** These may be so for a day. */
const passing: ReadonlySet<string> = new Set("cancelled canceled closed gone dead left lost stopped".split(" "));

/** In words. */
const widest = 4;

function isApart(words: readonly Word[], first: string, second: string): boolean {
  return words.some(
    ({ text }, at) => text === first && words.slice(at + 1, at + 1 + widest).some((word) => word.text === second),
  );
}

const turning: ReadonlySet<string> = new Set("switched changed over".split(" "));
const preferring: ReadonlySet<string> = new Set("prefer prefers".split(" "));
/** What is done now in the place of it: `the user takes the tram now`. */
function isDone(word: string): boolean {
  const [verbs, does] = [wordGroups["verb"], wordGroups["does"]];
  return does?.has(word) === true || verbs?.has(word) === true || verbs?.has(word.replace(/s$/u, "")) === true;
}
/** Of one thing less, it tells the other: `sold the Yamaha, got a used Bechstein`. */
const taking: ReadonlySet<string> = new Set("got bought ordered found adopted hired".split(" "));
const isOne: ReadonlySet<string> = new Set("a an another".split(" "));
/** Said of somebody, it tells when: `Sam can't do Wednesdays any more, he does Fridays`. */
const onAnother: ReadonlySet<string> = new Set("do does come comes work works take takes".split(" "));

/**
 * Whether a text that says that a memory is over tells what there is now, in a clause of its own: `Feld retired, I'm with Nwosu now`,
 * `I don't do nursing any more, switched to physio`, `I no longer want window seats, I prefer the aisle`.
 */
export function tellsSuccessor(text: string, { names }: Facets): boolean {
  return clausesOf(text).some((clause) => {
    const words = wordsOf(clause.text);
    if (tellsOver({ text: clause.text, words, isGiven: false })) return false;
    const has = (among: ReadonlySet<string>): boolean => words.some(({ text: word }) => among.has(word));
    if (has(preferring) || has(winning)) return true;
    if (words.some(({ text: word }, index) => taking.has(word) && isOne.has(words[index + 1]?.text ?? ""))) return true;
    if (has(onAnother) && facetsOf(clause.text).values.has("weekday")) return true;
    if (!tellsChange(words)) return false;
    if (tellsWhatOneDoesNow(words)) return true;
    const isTurn = words.some(({ text: word }, index) => turning.has(word) && words[index + 1]?.text === "to");
    return (
      isTurn ||
      words.some(({ text: word }) => isDone(word)) ||
      [...facetsOf(clause.text).names].some((name) => !names.has(name))
    );
  });
}

/** These explain what is over, and tell nothing in its place. */
const explaining: ReadonlySet<string> = new Set("because as since was were too would could had".split(" "));

/**
 * Whether a statement that says that a memory is over tells another thing of what the memory is about: `the team formats with Ruff`,
 * where it was another formatter, `gave the letters to the museum`, where they were at home.
 */
export function tellsAnotherOf(said: string, memory: Facets): boolean {
  return clausesOf(said).some(({ text }) => {
    const words = wordsOf(text);
    if (tellsOver({ text, words, isGiven: false }) || words.some((word) => explaining.has(word.text))) return false;
    const { topics, isNegated } = facetsOf(text);
    const isAbout = [...topics].some((topic) => memory.topics.has(topic) && !memory.namedTopics.has(topic));
    return isAbout && !isNegated && [...topics].some((topic) => !memory.topics.has(topic));
  });
}

const states: ReadonlySet<string> = new Set("is was has feels seems needs wants".split(" "));

/** `The user cycles to work now`, whatever it is that they do. */
function tellsWhatOneDoesNow(words: readonly Word[]): boolean {
  const [article, user, verb] = words.map(({ text }) => text);
  const isDoing = article === "the" && user === "user" && verb?.endsWith("s") === true && !states.has(verb);
  return isDoing && words.at(-1)?.text === "now";
}

const referring: ReadonlySet<string> = new Set("it that this they them those these he she him her last".split(" "));
const pointing: ReadonlySet<string> = new Set("it them that one".split(" "));
/** In words. */
const longestRemark = 4;

/**
 * Something of its own, `they handed me a Volvo`, and no word on what is over: `nobody missed it`, `we dropped it`. Whoever is named
 * besides may have taken it over, and another day or number may be the new one.
 */
function mayTakePlace({ words }: ReadPart, names: ReadonlySet<string>): boolean {
  if (words.some(isTime)) return true;
  if (words.some(({ text }, index) => index < 2 && names.has(text) && !endings.has(text))) return true;
  return (
    words.length > longestRemark &&
    !words.some(({ text }) => pointing.has(text)) &&
    readClause(words).refusal === undefined
  );
}
