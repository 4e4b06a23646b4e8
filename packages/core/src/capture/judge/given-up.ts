import { wordGroups } from "../extract/word-groups.ts";
import { isNameLike, isNumberWord, leadingWords } from "../extract/word-kinds.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { leadsTo } from "./change-verbs.ts";
import { isTime, pairs } from "./changes.ts";
import { type Facets, facetsOf } from "./facets.ts";
import { areByOthers, areOfOthers } from "./told-of-another.ts";
import { isSubset } from "./set-relations.ts";
import { topicOf } from "./topics.ts";

/** A value that a statement gives up for another one: the 90 of `74 now instead of 90`. */
export interface GivenUp {
  readonly value: Facets;
  /** The statement without it, */
  readonly rest: Facets;
  /** and with it. */
  readonly whole: Facets;
  /** It tells that it was so until now, and does not only set the one against the other: `at 10, not 9:30`. */
  readonly isFormer: boolean;
  /** One name for another: `switched from Barbri to Themis`. */
  readonly isExchange: boolean;
}

/** More of one statement are not read. */
const mostGivenUp = 4;
/** In words. */
const longestValue = 4;
/** Between `took` and `off`. In words. */
const widestTaking = 3;
/** And before `took`: `we have not really moved off Redis`. In words. */
const widestDenial = 8;

/**
 * The values that a statement gives up, and names another one besides: `74 instead of 90`, `940 (was 890)`, `7.0, not 6.5`,
 * `sharks, not dinos any more`, `off the ramipril, and now it's candesartan`. Linear in its length.
 */
export function givenUpIn(said: string): readonly GivenUp[] {
  const words = wordsOf(said);
  if (words.some(({ text }) => unsure.has(text))) return [];
  const whole = facetsOf(said);
  const found: GivenUp[] = [];
  for (let index = 0; index < words.length && found.length < mostGivenUp; index++) {
    const lead = leadAt(said, words, index);
    const named = lead === undefined ? [] : valueFrom(said, words, lead.from);
    const [first, last] = [named[0], named.at(-1)];
    if (lead === undefined || first === undefined || last === undefined) continue;
    const behind = endOf(words, lead.from + named.length) ?? last.end;
    const rest = facetsOf(`${said.slice(0, words[index]?.start)} ${said.slice(behind)}`);
    const isFormer = lead.isFormer || (words[index]?.text === "instead" && rest.tellsChange);
    const value = facetsOf(said.slice(first.start, last.end));
    const isExchange = lead.isExchange === true && value.namedTopics.size > 0 && rest.names.size > 0;
    found.push({ value, rest, whole, isFormer, isExchange });
  }
  return found.filter(namesAnother);
}

/** The end of `any more` behind a value. */
function endOf(words: readonly Word[], index: number): number | undefined {
  const [first, second] = [words[index], words[index + 1]];
  return first?.text === "any" && (second?.text === "more" || second?.text === "longer") ? second.end : undefined;
}

/** What is only thought of gives nothing up. */
const unsure: ReadonlySet<string> = new Set("if would could might should maybe perhaps whether unless".split(" "));

/** Words that lead to a value: where it begins, and whether they say that it was so until now. */
interface Lead {
  readonly from: number;
  readonly isFormer: boolean;
  readonly isExchange?: boolean;
}

function leadAt(said: string, words: readonly Word[], index: number): Lead | undefined {
  const [text = "", next = ""] = [words[index]?.text, words[index + 1]?.text];
  if ((text === "instead" && next === "of") || (text === "rather" && next === "than"))
    return { from: index + 2, isFormer: false };
  // `Please e-mail me, no more calls`
  if (text === "no" && next === "more" && index > 0 && isParted(said, words, index))
    return { from: index + 2, isFormer: true };
  if (text === "from" && exchanging.has(words[index - 1]?.text ?? ""))
    return { from: index + 1, isFormer: true, isExchange: true };
  const lead = (isLead: boolean, isFormer: boolean): Lead | undefined =>
    isLead ? { from: index + 1, isFormer } : undefined;
  if (text === "not" || text === "no") {
    const isOver = isNoMore(words, index);
    return lead(isOver || (text === "not" && isContrast(said, words, index)), isOver);
  }
  if (text === "was" || text === "were") return lead(beginsClause(said, words, index), true);
  if (text === "off") return lead(isTakenOff(words, index), true);
  if (isOutdated(words, index)) return { from: index, isFormer: true };
  const isEnding = wordGroups["ending"]?.has(text) === true && !leadsTo(words, index, denied);
  return lead(isEnding && isTime(words[index + 1] ?? none), true);
}

const standing: ReadonlySet<string> = new Set("right true correct valid current accurate".split(" "));
const outdated: ReadonlySet<string> = new Set("wrong outdated obsolete stale".split(" "));

/** `3.11 isn't right any more`, `Monday is outdated`: the value stands in front. */
function isOutdated(words: readonly Word[], index: number): boolean {
  const value = words[index];
  const [being = "", ...state] = words.slice(index + 1, index + 5).map(({ text }) => text);
  if (value === undefined || !isBeing(being) || !(isTime(value) || isValue(value, index))) return false;
  if (state[0] === "not") return standing.has(state[1] ?? "");
  if (state[0] === "no" && state[1] === "longer") return standing.has(state[2] ?? "");
  return outdated.has(state[0] ?? "");
}

const exchanging: ReadonlySet<string> = new Set("switched switching switch changed migrated".split(" "));

const none: Word = { text: "", raw: "", start: 0, end: 0 };

const denied: ReadonlySet<string> = new Set(["not", "never"]);

/** `At Elmcourt`, `on jenkins`. In words. */
const longestPlace = 2;
const placing: ReadonlySet<string> = new Set("on at in with".split(" "));

/** `Not dinos any more`, `no Docker any longer`, `it isn't Friday any more`, `Dad isn't at Elmcourt any longer`; but not `I do not drink any more`. */
function isNoMore(words: readonly Word[], index: number): boolean {
  const behind = words.slice(index + 1, index + 2 + longestValue);
  if (!pairs(behind, "any", "more") && !pairs(behind, "any", "longer")) return false;
  const before = words[index - 1]?.text ?? "";
  // `It's not Friday any more`
  if (!auxiliary.has(before)) return true;
  const end = behind.findIndex(({ text }) => text === "any");
  const value = behind[end - 1];
  if (!isBeing(before) || end > longestPlace || value === undefined) return false;
  return isTime(value) || isNameLike(value, 1) || (end === longestPlace && placing.has(behind[0]?.text ?? ""));
}

function isBeing(text: string): boolean {
  return text === "is" || text === "are";
}

/** `7.0 and not 6.5`, `use pnpm not npm`; but not `I do not drink`. */
function isContrast(said: string, words: readonly Word[], index: number): boolean {
  const [before, value] = [words[index - 1], words[index + 1]];
  if (value === undefined) return false;
  if (beginsClause(said, words, index)) return true;
  return before !== undefined && isValue(before, index - 1) && isValue(value, index + 1);
}

const auxiliary: ReadonlySet<string> = new Set("do does did is are am was were have has can will should".split(" "));

function isValue(word: Word, index: number): boolean {
  return isNumberWord(word.text) || isNameLike(word, index);
}

/** Nothing but a sign and words that lead to it stand before it: `(was 890`, `before it was 780`, `, and not 6.5`. */
function beginsClause(said: string, words: readonly Word[], index: number): boolean {
  let first = index;
  while (first > 0 && !isParted(said, words, first) && opening.has(words[first - 1]?.text ?? "")) first--;
  return first === 0 || isParted(said, words, first) || words[first]?.text === "and";
}

const opening: ReadonlySet<string> = new Set([...leadingWords, ..."it before formerly previously that".split(" ")]);

/** Whether a sign stands between a word and the one before it. */
function isParted(said: string, words: readonly Word[], index: number): boolean {
  const between = said.slice(words[index - 1]?.end ?? 0, words[index]?.start ?? 0);
  return /[,;:.!?()\u2013\u2014]|\s-\s/.test(between);
}

/** `They took me off the ramipril`, `we came off Heroku` */
function isTakenOff(words: readonly Word[], index: number): boolean {
  const before = words.slice(Math.max(0, index - widestDenial), index);
  return (
    before.slice(-widestTaking).some(({ text }) => taking.has(text)) && !before.some(({ text }) => denied.has(text))
  );
}

const taking: ReadonlySet<string> = new Set("took taken came come got moved migrated switched went".split(" "));

/** The words of a value, up to what follows it. */
function valueFrom(said: string, words: readonly Word[], from: number): readonly Word[] {
  const value: Word[] = [];
  for (let index = from; index < words.length && value.length < longestValue; index++) {
    const word = words[index] as Word;
    if (value.length > 0 && (isParted(said, words, index) || behindValue.has(word.text))) break;
    value.push(word);
  }
  return value;
}

const behindValue: ReadonlySet<string> = new Set(
  "to and but so because since for when as like how any now until before after is are was were that which who".split(
    " ",
  ),
);

/** A number for a number, a name for a name, and else a name, a value or something to speak of, which is not only that it is over. */
function namesAnother({ value, rest }: GivenUp): boolean {
  if (value.numbers.size > 0) return [...rest.numbers].some((number) => !value.numbers.has(number));
  if (value.names.size > 0 && rest.names.size + rest.values.size === 0) return false;
  const says = value.topics.size + value.values.size > 0;
  return (
    says && (rest.names.size + rest.numbers.size + rest.values.size > 0 || (rest.topics.size > 0 && !rest.tellsEnd))
  );
}

/** What tells that a value is that of a memory. */
export interface GivenUpHints {
  readonly cosine: number;
  readonly relatedGate: number;
  /** Of the memory's value, if it has one. */
  readonly known: Facets | undefined;
  readonly slotTopics: ReadonlySet<string>;
  /** What was said just before, and the statement. */
  readonly spokenOf: Facets;
}

/**
 * Whether a memory says what is given up: its number, its name, its value, or a word of it beside another one that both have.
 */
export function givesUp(
  { value, rest, whole, isFormer, isExchange }: GivenUp,
  memory: Facets,
  hints: GivenUpHints,
): boolean {
  if (memory.isNegated || areOfOthers(memory, whole) || (areByOthers(memory, whole) && !namesDoer(memory, whole)))
    return false;
  if (areOfOtherUnits(value, rest, memory)) return false;
  const topics = [...value.topics];
  if (!topics.every((topic) => isIn(topic, memory.topics)) || !isSubset(value.numbers, memory.numbers)) return false;
  if (![...value.values].every(([family, values]) => isSubset(values, memory.values.get(family) ?? nothing)))
    return false;
  const isOther = (topic: string): boolean => !value.topics.has(topic);
  const saysMore = [...rest.topics].some((topic) => !memory.topics.has(topic) && !hints.slotTopics.has(topic));
  if (!saysMore && rest.numbers.size === 0 && rest.values.size === 0) return false;
  const isLinked = [...memory.topics, ...hints.slotTopics].some(
    (topic) => isOther(topic) && !topics.some((each) => isClipped(each, topic)) && hints.spokenOf.topics.has(topic),
  );
  const saysValue =
    value.numbers.size > 0 ||
    value.values.size > 0 ||
    value.namedTopics.size > 0 ||
    (hints.known !== undefined && topics.every((topic) => isIn(topic, hints.known?.topics ?? nothing)));
  // `The concert: not the 13th, the 20th`
  const [subject] = rest.topics;
  const namesThing =
    (value.numbers.size > 0 && subject !== undefined && isThing(subject, memory, hints.slotTopics)) ||
    // `I found grandfather's baptism, it's 1897 and not 1899`
    (isExact(value) && [...rest.topics].some((topic) => memory.topics.has(topic)));
  // `At 10, not 9:30` is said of what it names: all that the memory is about, or nothing else.
  if ((!isFormer || !saysValue) && !namesThing)
    return isSubset(new Set([...memory.topics].filter(isOther)), rest.topics) || isSubset(rest.topics, memory.topics);
  return (
    isLinked ||
    (isExchange && !memory.tellsEnd) ||
    hints.cosine >= hints.relatedGate / (value.numbers.size > 0 ? 2 : leastOfGate)
  );
}

const durations: ReadonlySet<string> = new Set("second minute hour day week month year".split(" "));

/** `Eleven days instead of six` gives up none of six weeks. */
function areOfOtherUnits(value: Facets, rest: Facets, memory: Facets): boolean {
  if (value.numbers.size === 0) return false;
  const [said, known] = [unitIn(rest), unitIn(memory)];
  return unitIn(value) === undefined && said !== undefined && known !== undefined && said !== known;
}

/** In what the first duration of a text is told. */
function unitIn({ words }: Facets): string | undefined {
  const found = words.find(
    ({ text }, index) => durations.has(text.replace(/s$/u, "")) && isNumberWord(words[index - 1]?.text ?? ""),
  );
  return found?.text.replace(/s$/u, "");
}

/** Whether a text gives up a value that a memory has for another one that the memory has not: `on Wednesdays instead of Tuesdays`. */
export function exchangesValueOf(memory: Facets, said: string): boolean {
  return givenUpIn(said).some(
    ({ value, rest }) =>
      valuesIn(value).some((each) => valuesIn(memory).includes(each)) &&
      valuesIn(rest).some((each) => !valuesIn(memory).includes(each)),
  );
}

function valuesIn({ numbers, names, values }: Facets): readonly string[] {
  return [
    ...numbers,
    ...names,
    ...[...values].flatMap(([family, named]) => [...named].map((each) => `${family} ${each}`)),
  ];
}

/** `I found grandfather's baptism` is told of whom `Grandfather was born in 1899` is of. */
function namesDoer({ doer }: Facets, { topics }: Facets): boolean {
  return doer !== undefined && doer !== "user" && topics.has(topicOf(doer));
}

/** `1899`, `3.11`: no round number, so that it is hardly of two things. */
function isExact({ numbers }: Facets): boolean {
  return numbers.size > 0 && [...numbers].every((number) => /^\d{2,}[1-9]$|\.\d*[1-9]\d/.test(number));
}

/** What a memory is about, and not only whom. */
function isThing(topic: string, { topics, namedTopics }: Facets, slotTopics: ReadonlySet<string>): boolean {
  return (topics.has(topic) || slotTopics.has(topic)) && !namedTopics.has(topic);
}

/** A word that is given up is of what is related this much. */
const leastOfGate = 1.5;

const nothing: ReadonlySet<string> = new Set();

function isIn(topic: string, topics: ReadonlySet<string>): boolean {
  return topics.has(topic) || [...topics].some((each) => isClipped(topic, each));
}

/** In letters: what is shorter may begin any word. */
const shortestClipped = 4;

/** `dinos` are dinosaurs. */
function isClipped(short: string, long: string): boolean {
  return short.length >= shortestClipped && short.length < long.length && long.startsWith(short);
}
