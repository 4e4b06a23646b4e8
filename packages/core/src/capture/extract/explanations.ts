import { isTime, rescheduling } from "../judge/changes.ts";
import { facetsOf } from "../judge/facets.ts";
import { denies } from "./corrections.ts";
import { isNamedOnly } from "./named-only.ts";
import { namesOneOfTheirs, namesSomebody } from "./named-somebody.ts";
import { isAboutPerson, isAboutPronoun, ordersWithPronoun, pointsBack } from "./pronouns.ts";
import { isBareAmount, isNoSentence } from "./without-subject.ts";
import { behindSlip, contentOf } from "./read-clause.ts";
import type { Statement } from "./read-sentence.ts";
import { isRevisedBy, withoutTakenBack } from "./retractions.ts";
import { sentencesOf } from "./sentences.ts";
import type { StatementPlace } from "./statement-place.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { namedPattern } from "./unphrased-patterns.ts";
import { leadingWords, ownSubjects } from "./word-kinds.ts";
import { whomItMeans } from "./whom-pronouns-mean.ts";
import { type Word, wordsOf } from "./words.ts";

/** What tells what a sentence is about. */
export interface Explanation {
  /** In the words in which it was said. `undefined`: nothing that is known. */
  readonly context: string | undefined;
  readonly speaker: "user" | "assistant";
  /** The turn that it is of, when it is no question just before. */
  readonly explainedBy: number | undefined;
  /** It is the question that the sentence answers. */
  readonly isQuestion: boolean;
  /** What the answer says is over, as the question puts it: `Do you still use Lingofox?`, `No, I deleted it in January`. */
  readonly over: string | undefined;
  /** Whom the pronoun means that it begins with, when that is sure: then it needs nothing else. */
  readonly whom?: string;
}

/** A shorter sentence answers the question before it. In words. */
const longestAnswer = 9;
/** One that begins without a verb does so up to here: `At the end of the month, net 30, in euros, and VAT is reverse charge`. */
const longestNamed = 16;
/** So many statements before may explain one. */
const lookedBack = 12;

/**
 * What explains a sentence: the question that it answers, what it revises, whom it means by `she`, or what was said just before what
 * begins with `it`, by the assistant or by the user.
 */
export function explanationOf(read: Statement, place: StatementPlace, earlier: readonly TurnStatement[]): Explanation {
  const { turn, before, question, isFirst } = place;
  const lately = earlier.slice(-lookedBack);
  const near = withoutTakenBack(lately);
  const meant = isAboutPronoun(read.words) || isAboutPerson(read.words) ? meantBy(read, place, near) : undefined;
  const named = isAboutPerson(read.words) ? near.findLast(({ pattern }) => pattern === namedPattern) : undefined;
  const revised = revisedBy(read, place, lately);
  const lastSaid = tellsSomething(place.lastSaid) ? place.lastSaid : undefined;
  const previous =
    revised ??
    named ??
    meant ??
    wentOnFrom(read, place, near) ??
    movedBefore(read, turn, near) ??
    (lastSaid === undefined || !isFirst ? orderedWith(read, place, near) : undefined);
  const ofUser = { speaker: "user", explainedBy: previous?.turn.turn, isQuestion: false, over: undefined } as const;
  if (question !== undefined) {
    const isOver = isFirst && asksIfStill(question) && facetsOf(read.sentence.text).tellsEnd;
    const over = isOver ? `${question} no longer` : undefined;
    const longest = isNamedOnly(read.said) || isBareAmount(read.words) ? longestNamed : longestAnswer;
    if (isOver || (read.words.length <= longest && named === undefined))
      return {
        ...ofUser,
        context: shownOf(withWhomItAsksOf(question, before?.content ?? "")),
        speaker: "assistant",
        isQuestion: true,
        over,
      };
  }
  const whom = revised === undefined ? whomItMeans(read.said || read.sentence.text, near, turn) : undefined;
  if (whom !== undefined) return { ...ofUser, context: undefined, explainedBy: whom.turn, whom: whom.name };
  // What stands first in a turn points to what the assistant said last, and not to what the user did.
  const isAsked = place.corrects && meant?.refusal === "QUESTION";
  const isDenial = denies(read.words) && read.words.length <= longestDenial;
  if (isFirst && !isAsked && meant?.turn !== turn && lastSaid !== undefined && (isDenial || pointsBack(read.words)))
    return { ...ofUser, context: shownOf(lastSaid), speaker: "assistant", explainedBy: before?.turn };
  const told = previous && shownOf(previous.said.replace(askedBehind, ""));
  const asked = told === undefined && previous?.turn === turn && isAboutPronoun(read.words);
  return { ...ofUser, context: asked ? askedFor(previous.sentence.text) : told };
}

/** In words that mean something: `Noted.`, `Removed them.` tell nothing of what is pointed to. */
const fewestOfReply = 2;

function tellsSomething(lastSaid: string | undefined): boolean {
  return lastSaid !== undefined && (/[\d?]/u.test(lastSaid) || contentOf(wordsOf(lastSaid)).words >= fewestOfReply);
}

/** What `it` is in `run it before every commit`: what was said just before in the turn, or in the turn before. */
function orderedWith(
  read: Statement,
  { turn, isFirst }: StatementPlace,
  near: readonly TurnStatement[],
): TurnStatement | undefined {
  if (read.pattern === undefined || !ordersWithPronoun(read.words)) return undefined;
  const last = near.at(-1);
  return last !== undefined && (last.turn === turn) === !isFirst && contentOf(last.words).words > 0 ? last : undefined;
}

/** `Can you draft an agenda for the weekly?`: what is asked for. */
const asking =
  /(?:can|could|would|will) (?:you|u) (?:please |pls )?\p{L}{2,15} (?:(?:me|us|him|her|them) )?(?<thing>(?:an?|the|my|our|this|these|some) [^?!.,;:]{3,80})/iu;
const behindThing = / (?:that|because|so|if|when|and|but) .*$/isu;

function askedFor(sentence: string): string | undefined {
  return asking.exec(sentence.slice(0, longestAsking))?.groups?.["thing"]?.replace(behindThing, "").trim();
}

/** In UTF-16 units. */
const longestAsking = 300;

/** In words: what is longer tells what it is about. */
const longestDenial = 4;

const asksOfSomebody = /(?<!\p{L})(?:is|are|was|were|does|do|did|has|have|will) (?:she|he|they)(?!\p{L})/iu;
/** In UTF-16 units. */
const longestNaming = 80;

/** `Helmi is a beautiful name. How old is she?`: the sentence before the question names whom it asks of. */
function withWhomItAsksOf(question: string, asking: string): string {
  if (!asksOfSomebody.test(question)) return question;
  const end = asking.lastIndexOf(question);
  const before = end < 0 ? undefined : sentencesOf(asking.slice(0, end)).at(-1)?.text;
  const words = before === undefined || before.length > longestNaming ? [] : wordsOf(before);
  // `Congratulations!` is no name.
  const isNaming = before !== undefined && words.length > 1 && namesSomebody(words);
  return isNaming && !before.endsWith("?") ? `${before} ${question}` : question;
}

/**
 * What a pronoun points to: of somebody, rather what names somebody in the same turn, or one of theirs before it, than what was said
 * last.
 */
function meantBy(read: Statement, place: StatementPlace, near: readonly TurnStatement[]): TurnStatement | undefined {
  const possible = near.filter((each) => mayBeMeant(each, place));
  if (!isAboutPerson(read.words))
    return isOfOthersAndUser(read.words) ? possible.findLast(({ turn }) => turn === place.turn) : possible.at(-1);
  const ofTurn = possible.findLast((each) => each.turn === place.turn && each.said !== "" && namesSomebody(each.words));
  return ofTurn ?? possible.findLast(({ words }) => namesOneOfTheirs(words)) ?? possible.at(-1);
}

/** `They changed my shifts`: of those that somebody deals with anyway, unless the same turn tells of others. */
function isOfOthersAndUser(words: readonly Word[]): boolean {
  return (
    words.find(({ text }) => !leadingWords.has(text))?.text === "they" &&
    words.some(({ text }) => ownSubjects.has(text))
  );
}

/** `Not any more` tells nothing. In words that mean something. */
const fewestOfTold = 2;

/** What is no sentence by itself goes on from the one before it: `The exam went well. Next one in July.` */
function wentOnFrom(
  read: Statement,
  { turn, isItem, isFirst }: StatementPlace,
  near: readonly TurnStatement[],
): TurnStatement | undefined {
  const last = near.at(-1);
  const said = read.said === "" ? read.words : wordsOf(read.said);
  if (isItem || isFirst || !isNoSentence(said) || read.pattern === undefined) return undefined;
  if (last === undefined || last.turn !== turn || contentOf(wordsOf(last.said)).words < fewestOfTold) return undefined;
  return last.refusal === undefined || last.refusal === "VAGUE" || last.refusal === "TRANSIENT" ? last : undefined;
}

const leadingToDay: ReadonlySet<string> = new Set("to on the it is now earlier later".split(" "));

/** `They moved the exam`, and when the assistant has asked, `7 May`: tells to when. */
function movedBefore(
  { words, pattern }: Statement,
  turn: TurnStatement["turn"],
  near: readonly TurnStatement[],
): TurnStatement | undefined {
  const first = words.find(({ text }) => !leadingWords.has(text) && !leadingToDay.has(text));
  if (pattern === undefined || first === undefined || !isTime(first)) return undefined;
  const last = near.findLast((each) => each.turn !== turn);
  return last?.words.some(({ text }) => rescheduling.has(text)) === true && !facetsOf(last.said).saysWhen
    ? last
    : undefined;
}

function mayBeMeant({ turn, pattern, refusal }: TurnStatement, place: StatementPlace): boolean {
  // `No, it is closed`: what was asked tells what.
  return turn === place.turn || pattern !== undefined || (place.corrects && refusal === "QUESTION");
}

/** The statement of this turn or the one before that has a number or date like the one that takes its place. */
function revisedBy(
  read: Statement,
  { turn, question, isFirst }: StatementPlace,
  near: readonly TurnStatement[],
): TurnStatement | undefined {
  // `Not Tuesdays` is said of what the assistant said.
  if (!read.revises || (isFirst && denies(read.words)) || isWhole(behindSlip(read.words))) return undefined;
  const lastTold = question !== undefined ? undefined : near.findLast((statement) => statement.turn !== turn)?.turn;
  return near.findLast((each) => (each.turn === turn || each.turn === lastTold) && isRevisedBy(each, read));
}

/** `No wait, my daughter is six`: says who does what, or whose what it is. */
function isWhole([first, second, third]: readonly Word[]): boolean {
  return first !== undefined && ownSubjects.has(first.text) && second !== undefined && third !== undefined;
}

/** What is asked of the assistant explains nothing: `it fails at 250 ms, so can you look at the cache?` */
const askedBehind =
  /(?:^|[\s,]{1,9})(?:(?:and|so|but),? )?(?:(?:can|could|would|will) you|do you think|what do you) .{0,600}$/isu;

function shownOf(text: string): string | undefined {
  const shown = clipped(text.replace(/[\s.!?:]{1,9}$/, "").replace(link, "$1"));
  return shown === "" ? undefined : shown;
}

/** Its words tell what is meant, its address takes the place of others. */
const link = /\[([^[\]\n]{1,200})\]\([^\s()]{1,2000}\)/gu;

/** In UTF-16 units. */
const longestContext = 140;

/** The end of a long text, from where a part of it begins, or a word at least. Nothing where that word is too long itself. */
function clipped(text: string): string {
  if (text.length <= longestContext) return text;
  const end = text.slice(-longestContext - 1);
  const joint = /[,;:.!?\u2013\u2014-]\s+(?=[^\s\d])/u.exec(end.slice(0, -longestContext / 2)) ?? /\s(?=\S)/u.exec(end);
  return joint === null ? "" : end.slice(joint.index + joint[0].length);
}

const stillAsking = /^(?:[^,]{1,30}, )?(?:is|are|was|were|do|does|did|has|have) \p{L}/iu;

/** `Is he still at the day centre?` */
function asksIfStill(question: string): boolean {
  return stillAsking.test(question);
}
