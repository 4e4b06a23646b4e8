import type { CapturedTurn } from "@loci/domain";
import { making } from "./accepted-offers.ts";
import { stopWords } from "../../text/stop-words.ts";
import { hasVerb } from "./finite-verbs.ts";
import { clausesOf, sentencesOf } from "./sentences.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** Which of the things that were offered, or that the user asked about, the user takes, by its place or by its name. */
export interface ChosenOption extends TakenOption {
  /** The question that offers them, as it is asked, */
  readonly question: string;
  /** and the turn that asks it. */
  readonly asking: CapturedTurn;
}

interface TakenOption {
  /** What is taken, as the user would say it: `my card` for `your card`. Empty where the user says it. */
  readonly option: string;
  /** So many UTF-16 units of the answer take it; what follows says more of it. */
  readonly length: number;
}

/** `Do you cook with an oven or an air fryer?`: in UTF-16 units, a longer question is not read. */
const longestQuestion = 300;
/** How many questions may follow the one that offers something. */
const questionsBehind = 2;

const byPlace =
  /^(?:(?:oh|ok(?:ay)?|yes|yeah|hm+|um+),? )?(?:(?:i(?:['\u2019]d| would)? (?:take|prefer|like|want|pick|choose|say)|let['\u2019]?s (?:take|do|go with)|go with|take|option|variant|number|rather) )?(?:the )?(?:(?<first>former|first|1st|1|a)|(?<last>latter|second|2nd|2|b))(?:\)| (?:one|option|variant|please|pls))?(?=$|[\s,.;:!)])/iu;
/** A letter or number alone may begin anything: `a table`, `2 kids`. */
const isShortMark = /^(?:a|b|1|2)$/iu;
/** What follows a letter or number that is an answer by itself. */
const endsAnswer = /^(?:$|[,.;:!)])/u;

/**
 * What the user takes of two things that a turn asks about: `Parquet or msgpack?` is answered by `the former` and by `parquet`.
 *
 * @param asking what the assistant said; or what the user did, when the assistant has answered it
 * @param answer the first sentence of the user's turn
 */
export function chosenOption(asking: CapturedTurn, answer: string): ChosenOption | undefined {
  const said = sentencesOf(asking.content);
  const ofUser = asking.role === "user";
  for (const { text } of (ofUser ? said : said.slice(-1 - questionsBehind)).toReversed()) {
    const options = text.length > longestQuestion ? undefined : optionsOf(text);
    // `The former` is the first of what the assistant told last.
    const taken = options && (ofUser ? wantedOf(options, answer) : takenOf(options, answer));
    if (taken !== undefined) return { question: text, asking, ...taken };
  }
  return undefined;
}

type Options = readonly [first: string, last: string];

function takenOf(options: Options, answer: string): TakenOption | undefined {
  const place = byPlace.exec(answer);
  const mark = place?.groups?.["first"] ?? place?.groups?.["last"];
  if (
    place !== null &&
    mark !== undefined &&
    (!isShortMark.test(mark) || endsAnswer.test(answer.slice(place[0].length)))
  )
    return { option: asUserSays(options[place.groups?.["first"] === undefined ? 1 : 0]), length: place[0].length };
  return namedOf(options, answer);
}

/**
 * What somebody asks about may be no things to choose from, `Shall I put in another layer or is that silly?`, and what is said next
 * no answer: `Vegetable or fruit?`, `Fruit flies are everywhere`.
 */
function wantedOf(options: Options, answer: string): TakenOption | undefined {
  const [said] = clausesOf(answer.replace(taking, ""));
  const taken = wordsOf(said?.text.replace(/ it is[.!]{0,3}$/iu, "") ?? "");
  const areThings = [...options.map(wordsOf), taken].every((words) => !hasVerb(words));
  return areThings && taken.length <= longestTaken ? namedOf(options, answer) : undefined;
}

/** In words: `the morning flight`. */
const longestTaken = 3;

/** `Let's go with`: what leads to what is taken. */
const taking =
  /^(?:(?:oh|ok(?:ay)?|yes|yeah|right|cool|great|thanks|perfect|alright|hm+|um+|so),? ){0,2}(?:(?:i(?:['\u2019]d| would|['\u2019]ll| will)? (?:take|prefer|pick|choose|use|go (?:with|for))|(?:so )?let['\u2019]?s (?:take|do|use|go (?:with|for))|(?:going|go|went|we['\u2019]ll go) (?:with|for)|(?:then )?rather) )?(?:the )?/iu;

function namedOf(options: Options, answer: string): TakenOption | undefined {
  const lead = taking.exec(answer)?.[0].length ?? 0;
  const words = wordsOf(answer.slice(lead));
  const [named] = words;
  if (named === undefined || answer.endsWith("?")) return undefined;
  const isAlone = words.length === 1;
  const naming = options.filter((option) => isNamedBy(option, named, isAlone));
  const [option] = naming;
  if (option === undefined || naming.length > 1) return undefined;
  // What is said in more than a word is said well enough.
  return isAlone ? { option: asUserSays(option), length: lead + named.end } : { option: "", length: 0 };
}

const asSaidByUser: Readonly<Record<string, string>> = {
  you: "I",
  your: "my",
  yours: "mine",
  i: "you",
  my: "your",
  me: "you",
};

function asUserSays(option: string): string {
  return option.replace(/\p{L}+/gu, (word) => asSaidByUser[word.toLowerCase()] ?? word);
}

/** Whether a word stands in an option, or begins one of its words when nothing else is said: `g` for `grams`. */
function isNamedBy(option: string, { text }: Word, isAlone: boolean): boolean {
  if (stopWords.has(text) || wordGroups["common"]?.has(text) === true) return false;
  return wordsOf(option).some((word) => word.text === text || (isAlone && word.text.startsWith(text)));
}

const joint = /,? or (?:rather )?/giu;
const determiners = /(?<!\p{L})(?:an?|the|my|your|our) /giu;
const beginsWithDeterminer = /^(?:an?|the|my|your|our) /iu;
/** What stands before the first thing: `Shall I `, `either `, `Is it `. */
const leads =
  /^.*(?:[,:;] |(?<!\p{L})either )|^(?:(?:shall|should|can|could|may) (?:i|we)(?: (?:use|get|take|buy|pick|choose|have|go (?:with|for)))?|(?:do|would|did) you(?: (?:want|prefer|like|need|use|have|rather))?(?: (?:me|us) to| to)?|is (?:it|that|this)|are (?:you|they|these)|is|are|was|will it be) /iu;
/** What stands behind the last thing belongs to both: `for the cache`. */
const tails = /[?.!].*$|,? (?:for|in|with|on|at|to|from|instead|this|today|here|then|as) .*$/isu;

/** The two things that a question offers. `undefined`: it offers none, or more than two. */
function optionsOf(question: string): Options | undefined {
  const joints = [...question.matchAll(joint)];
  const [found] = joints;
  if (found === undefined || joints.length > 1) return undefined;
  const isParted = found[0].startsWith(",");
  const before = question.slice(0, found.index);
  const last = question.slice(found.index + found[0].length).replace(isParted ? /[?.!].*$/s : tails, "");
  const first = firstOf(before, last, isParted);
  const options: Options = [first.trim(), last.trim()];
  return isMade(question) || options.some((option) => option === "" || isPassing(option)) ? undefined : options;
}

const leave =
  /(?:(?:shall|should|can|could) i|(?:do you|would you) (?:want|like) me to|^want me to) (?:also |now )?(\p{L}{2,20})/iu;

/** `Shall I write it in prose or as a table?`: what is made is there then, and chooses nothing for later. */
function isMade(question: string): boolean {
  const verb = leave.exec(question)?.[1]?.toLowerCase();
  return verb !== undefined && making.has(verb);
}

const passing: ReadonlySet<string> = new Set(
  `not now then today tonight tomorrow later earlier sooner before after first more less longer shorter bigger smaller`.split(
    " ",
  ),
);

/** `Earlier or later?` tells nothing without what it is of. */
function isPassing(option: string): boolean {
  return wordsOf(option).every(({ text }) => passing.has(text));
}

/** As much of what stands before `or` as is like what stands behind it. */
function firstOf(before: string, last: string, isParted: boolean): string {
  if (beginsWithDeterminer.test(last)) {
    const place = [...before.matchAll(determiners)].at(-1)?.index;
    if (place !== undefined) return before.slice(place);
  }
  const clause = before.replace(leads, "").replace(leads, "");
  if (isParted) return clause;
  const [words, others] = [clause.split(" "), last.split(" ")];
  const isAlike = words.at(-1)?.toLowerCase() === others.at(-1)?.toLowerCase();
  return words.length <= longestFirst ? clause : words.slice(isAlike ? -others.length : -1).join(" ");
}

/** In words: a longer clause says more than what is offered. */
const longestFirst = 2;
