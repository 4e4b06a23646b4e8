import type { CaptureReason } from "@loci/domain";
import { facetsOf } from "../judge/facets.ts";
import { isBareWish } from "./bare-wishes.ts";
import { hasVerb, isFinite } from "./finite-verbs.ts";
import { isGossip, onlyGossips } from "./gossip.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { keptOf, type ReadPart } from "./kept-clauses.ts";
import { contentOf, type ReadClause, readClause, revises, takesBack } from "./read-clause.ts";
import { isRelativeClause } from "./relative-clauses.ts";
import { pointsAhead } from "./points-ahead.ts";
import { asOrder, endsAsQuestion, beginsAsRequest, beginsWithCondition, isRequest } from "./requests.ts";
import { type Clause, clausesOf, type Sentence } from "./sentences.ts";
import { isInAnotherLanguage } from "./other-languages.ts";
import { beginsAsExample, isLabelledRule, tellsOfNobodyNamed } from "./labelled-lines.ts";
import { isDetailOfPlan } from "./details-of-plans.ts";
import { endsWithStandingTail, isStandingTail } from "./standing-tails.ts";
import { endOfSupposition } from "./suppositions.ts";
import { reasonOfQuestion, statedBeforeQuestion } from "./told-beside-questions.ts";
import { isToldByOthers, toldToBeForgotten } from "./told-to-be-forgotten.ts";
import { endOfToldToBeKept, toldToBeKept, type ToldToBeKept } from "./told-to-be-kept.ts";
import { labelledRule, standingRule, toldPattern } from "./unphrased-patterns.ts";
import { wordGroups } from "./word-groups.ts";
import { leadingWords, ownSubjects } from "./word-kinds.ts";
import { type Word, wordsOf } from "./words.ts";

/** What a sentence of a turn states, or why it is not worth remembering. */
export interface Statement {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  /** The pattern that knows it. `undefined` for one that is refused, and for an answer that only its question explains. */
  readonly pattern: StatementPattern | undefined;
  readonly refusal: CaptureReason | undefined;
  /** What of the sentence is worth remembering. */
  readonly said: string;
  /** It orders something to be done. */
  readonly isOrder: boolean;
  /** It asks for something to be done once, whatever it rules besides: `write it with a loop, no comments`. */
  readonly asksForWork: boolean;
  /** It takes back what was said before, */
  readonly takesBack: boolean;
  /** or says that it is different. */
  readonly revises: boolean;
}

/** Reads one sentence. @param spoken the sentence without what stands in quotation marks */
export function readSentence(sentence: Sentence, spoken: string): Statement {
  const request = toldToBeKept(spoken);
  if (request !== undefined) return readTold(request, sentence, spoken);
  const kept = endOfToldToBeKept(spoken);
  if (kept !== undefined && kept > 0) {
    const told = { ...sentence, text: sentence.text.slice(0, kept), end: sentence.start + kept };
    const read = readWhole(told, spoken.slice(0, kept));
    if (read.pattern !== undefined) return read;
    if (read.refusal === undefined && isConcrete(read.words)) return { ...read, pattern: toldPattern };
  }
  const forgotten = toldToBeForgotten(spoken);
  if (forgotten !== undefined) return readForgotten(forgotten, sentence, spoken);
  const end = statedBeforeQuestion(spoken);
  if (end !== undefined) {
    const stated = { ...sentence, text: sentence.text.slice(0, end), end: sentence.start + end };
    const before = readSentence(stated, spoken.slice(0, end));
    if (before.pattern !== undefined && contentOf(wordsOf(before.said)).isConcrete) return before;
    // `Bumped it to £15, how much tax is that?` is no fact by itself, and may tell that one has changed.
    const { tellsChange, tellsEnd } = facetsOf(stated.text);
    if (tellsChange || tellsEnd) return { ...before, pattern: undefined, refusal: before.refusal ?? "VAGUE" };
  }
  const reason = reasonOfQuestion(spoken);
  if (reason !== undefined) {
    const told = sentence.text.slice(reason).replace(/\?["')\]]{0,3}$/, "");
    const start = sentence.start + reason;
    const behind = readWhole(
      { text: told, start, end: start + told.length },
      spoken.slice(reason, reason + told.length),
    );
    if (behind.pattern !== undefined) return behind;
  }
  return readWhole(sentence, spoken);
}

/** What is to be forgotten is no fact, and what was said just before it stays. Others order nothing. */
function readForgotten(forgotten: string, sentence: Sentence, spoken: string): Statement {
  const said = `Forget ${forgotten}`;
  return {
    sentence,
    words: wordsOf(spoken),
    pattern: undefined,
    refusal: isToldByOthers(spoken) ? "QUOTED" : "VAGUE",
    said,
    isOrder: true,
    asksForWork: false,
    takesBack: false,
    revises: false,
  };
}

/** Reads what is told to be kept in mind, without the words that ask for it. */
function readTold({ before, start }: ToldToBeKept, sentence: Sentence, spoken: string): Statement {
  // It is told, and not asked: without the mark of the request.
  const told = sentence.text.slice(start).replace(/\?["')\]]{0,3}$/, "");
  const place = { text: told, start: sentence.start + start, end: sentence.start + start + told.length };
  const read = readWhole(place, spoken.slice(start, start + told.length));
  // What is refused of it is left out of what it says.
  const isKept = read.refusal === undefined || read.said.length < told.trim().length;
  const pattern = read.pattern ?? (isKept && saysSomething(wordsOf(read.said)) ? toldPattern : undefined);
  if (pattern === undefined) return read;
  const isOfThat = before > 0 && isAboutIt(read.words);
  const said = isOfThat ? `${sentence.text.slice(0, before)}: ${read.said}` : read.said;
  return { ...read, pattern, refusal: undefined, said };
}

/** `Marek picks Zosia up on my night weeks`, and not only whom or when. */
function isConcrete(words: readonly Word[]): boolean {
  const content = contentOf(words);
  return content.isConcrete && content.words > 1;
}

/** It names a number, date or name, or tells something of the speaker. */
function saysSomething(words: readonly Word[]): boolean {
  const { words: content, isConcrete } = contentOf(words);
  return isConcrete || (content > 0 && hasVerb(words) && words.some(({ text }) => ownSubjects.has(text)));
}

function readWhole(sentence: Sentence, spoken: string): Statement {
  const text = spoken;
  const words = wordsOf(text);
  const supposed = endOfSupposition(words);
  const parts = withAppendices(
    withReasons(
      clausesOf(text)
        .map((clause, index) => readPart(clause, wordsOf(clause.text), index === 0))
        .map((part) => (part.clause.start < supposed ? { ...part, refusal: "HYPOTHETICAL" as const } : part)),
    ),
  );
  const whole = readClause(words);
  const saysAlways = parts.some((part) => isStandingTail(part.words)) || endsWithStandingTail(text);
  const tail = saysAlways && !isOfSpeaker(words) ? standingRule : undefined;
  const isStanding =
    tail !== undefined ||
    parts.some(({ read }) => read.statement?.isStanding === true) ||
    whole.statement?.isStanding === true;
  const isOrder = parts[0]?.read.isOrder === true;
  const asksForWork = parts.some(
    ({ clause, read }) => (read.isOrder || isRequest(clause.text)) && read.statement?.kind !== "instinct",
  );
  const base = { sentence, words, isOrder, asksForWork, takesBack: takesBack(words), revises: revises(words) };
  const refused = (refusal: CaptureReason): Statement => ({
    ...base,
    pattern: undefined,
    refusal,
    said: sentence.text,
  });
  if (words.length === 0) return refused(text.trim() === sentence.text ? "FILLER" : "QUOTED");
  if (isInAnotherLanguage(text)) return refused("FILLER");
  if (onlyLeadsToQuotation(sentence.text, text, words)) return refused("QUOTED");
  if (asks(sentence.text, whole, parts)) return refused("QUESTION");
  if (supposed >= text.length) return refused("HYPOTHETICAL");
  if (isBareWish(words)) return refused("TRANSIENT");
  if (beginsAsExample(text)) return refused("QUOTED");
  if (tellsOfNobodyNamed(text)) return refused("VAGUE");
  if (!isStanding && (isGossip(words) || onlyGossips(parts))) return refused("QUOTED");
  const sentenceWide = parts.find(({ read }) => read.refusesSentence)?.read.refusal;
  if (!isStanding && (sentenceWide ?? (whole.refusesSentence ? whole.refusal : undefined)) !== undefined)
    return refused(sentenceWide ?? (whole.refusal as CaptureReason));
  const stated = parts.filter(
    (part, index) => part.refusal === undefined && isStated(part) && !isNotSo(part, parts[index - 1]),
  );
  const strongestStated = strongest(stated.flatMap(({ read }) => read.statement ?? []));
  const isHowItIs = strongestStated?.category === "fact" || strongestStated?.category === "entity";
  const pattern =
    (isHowItIs ? strongestStated : (tail ?? strongestStated)) ??
    statedByWhole(parts, words, whole) ??
    (isLabelledRule(text) ? labelledRule : undefined);
  const told = keptOf(sentence.text, parts);
  const said = beginsAsRequest(text) || beginsAsRequest(told) ? asOrder(told) : told;
  const { words: content, isConcrete } = contentOf(wordsOf(said));
  if (pattern?.isWeak === true && parts.some(({ refusal }) => refusal === "TRANSIENT")) return refused("TRANSIENT");
  if (pattern === undefined) return refusedOrUnknown(parts, base, said, whole);
  if (content < (pattern.kind === "instinct" || isConcrete ? 1 : 2) && pattern.isEnough !== true)
    return refused("VAGUE");
  if (pointsAhead(text, words)) return refused("VAGUE");
  if (isAboutIt(words) && !isConcrete && !pattern.isStanding && !pattern.isLasting) return refused("VAGUE");
  return { ...base, pattern, refusal: undefined, said };
}

/**
 * `I live in Oslo, not Bergen` and `the paper is due on 3 June, not on 5 June` say how it is, `I need results, not proposals` what is needed
 * now, and `weights, not cups` what is wanted. `I am their clerk, 30 hours a week` rules nothing either.
 */
function isNotSo({ words, read }: ReadPart, before: ReadPart | undefined): boolean {
  const told = before?.words ?? [];
  const category = before?.refusal === undefined ? before?.read.statement?.category : undefined;
  const isHowItIs = category === "fact" || category === "entity";
  if (words[0]?.text === "not") return isHowItIs || category === "decision" || tellsNeed(told);
  const isDetail = read.statement?.kind === "instinct" && read.statement.isWeak === true;
  return isDetail && isHowItIs && told.find(({ text }) => !leadingWords.has(text))?.text === "i" && !hasVerb(words);
}

function tellsNeed(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !leadingWords.has(text));
  return ownSubjects.has(said[0]?.text ?? "") && (said[1]?.text === "need" || said[2]?.text === "need");
}

/** In words. */
const longestLeadToQuotation = 12;

/** `Reviewer 2 wrote: "…"`: says only whose words those are. @param spoken without what is quoted */
function onlyLeadsToQuotation(text: string, spoken: string, words: readonly Word[]): boolean {
  const lead = spoken.trimEnd();
  return lead.endsWith(":") && lead.length < text.length && words.length <= longestLeadToQuotation;
}

/** `I walk there, always` tells what somebody does, and asks for nothing. */
function isOfSpeaker(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text))?.text ?? "";
  return first === "i" || first === "we";
}

/** What only the whole sentence says, if nothing speaks against a part of it. */
function statedByWhole(
  parts: readonly ReadPart[],
  words: readonly Word[],
  whole: ReadClause,
): StatementPattern | undefined {
  if (whole.statement?.isStanding === true) return whole.statement;
  return parts.every((part) => part.refusal === undefined) && isStated({ words, read: whole })
    ? whole.statement
    : undefined;
}

/** `It's a rattle`: says nothing without what it is about. */
function isAboutIt(words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }) => !leadingWords.has(text));
  const first = words[at]?.text;
  // `This repo uses pnpm, never npm` names what it is about.
  if (first === "this" && wordGroups["project"]?.has(words[at + 1]?.text ?? "") === true) return false;
  return first === "it" || first === "that" || first === "this" || first === "they";
}

function readPart(clause: Clause, words: readonly Word[], isFirst: boolean): ReadPart {
  // `..., which has improved` asks nothing.
  const isRelative = !isFirst && isRelativeClause(clause.text);
  const read = readClause(isRelative ? words.slice(1) : words);
  const isStanding = read.statement?.isStanding === true;
  const holds = read.refusal === "TRANSIENT" && (isStanding || read.lasts || beganLately(words, read));
  return { clause, words, read, refusal: holds ? undefined : read.refusal };
}

const always: ReadonlySet<string> = new Set("then always every each usually".split(" "));

/**
 * Why something is so says nothing without it, and may tell that it is so each time: `no nuts on Monday because the school orders
 * then`.
 */
function withReasons(parts: readonly ReadPart[]): readonly ReadPart[] {
  const givesReason = (part: ReadPart | undefined): part is ReadPart => part?.words[0]?.text === "because";
  const isEachTime = (part: ReadPart | undefined): boolean =>
    givesReason(part) && part.words.some(({ text }) => always.has(text));
  const read: ReadPart[] = [];
  for (const [index, part] of parts.entries()) {
    const isRule = part.refusal === "TRANSIENT" && part.read.statement?.kind === "instinct";
    const before = read.at(-1);
    if (isRule && isEachTime(parts[index + 1])) read.push({ ...part, refusal: undefined });
    else if (givesReason(part) && before?.refusal === "TRANSIENT") read.push({ ...part, refusal: before.refusal });
    else if (isDetailOfPlan(part, before))
      read.push({ ...part, refusal: undefined, read: { ...part.read, statement: undefined } });
    else if (part.refusal === "TRANSIENT" && (givesReason(part) ? isTold(before) : isReasonFor(part, parts[index + 1])))
      read.push({ ...part, refusal: undefined, read: { ...part.read, statement: undefined } });
    else read.push(part);
  }
  return read;
}

function isTold(part: ReadPart | undefined): boolean {
  return part !== undefined && part.refusal === undefined && isStated(part);
}

/** `Sadie is going on leave in August so we moved the launch`: who or when stands in the reason. */
function isReasonFor(part: ReadPart, behind: ReadPart | undefined): boolean {
  return behind?.words[0]?.text === "so" && isTold(behind) && contentOf(part.words).isConcrete;
}

/**
 * What says nothing without the clause beside it goes with that clause: `It is in Aarhus this time, not Copenhagen`, `I'm looking
 * for something small, easy to maintain, and I use Flask`, `Specifically, how does it work?`.
 */
function withAppendices(parts: readonly ReadPart[]): readonly ReadPart[] {
  const read: ReadPart[] = [];
  for (const part of parts) {
    const before = read.at(-1);
    const goesAlong =
      part.words[0]?.text === "not" || canNotNow(part, before) || (isFragment(part) && before?.refusal !== "FILLER");
    read.push(goesAlong && before?.refusal !== undefined ? { ...part, refusal: before.refusal } : part);
  }
  const [first, second] = read;
  return first !== undefined && second?.refusal !== undefined && second.refusal !== "FILLER" && isFragment(first)
    ? [{ ...first, refusal: second.refusal }, ...read.slice(1)]
    : read;
}

/** `I'm in the car, can't type much` */
function canNotNow({ words }: ReadPart, before: ReadPart | undefined): boolean {
  return (
    words[0]?.text === "can" &&
    words[1]?.text === "not" &&
    before?.refusal === "TRANSIENT" &&
    ownSubjects.has(before.words.find(({ text }) => !leadingWords.has(text))?.text ?? "")
  );
}

/** In words. */
const longestFragment = 6;

/** No clause at all, only a part of one: it has no verb that could be seen, no number, date or name, and is of nobody known. */
function isFragment({ words, read }: ReadPart): boolean {
  return (
    read.statement === undefined &&
    read.refusal === undefined &&
    words.length <= longestFragment &&
    !words.some(({ text }) => isFinite(text) || ownSubjects.has(text)) &&
    !contentOf(words).isConcrete
  );
}

/** `A new limit of 3.5 tonnes since yesterday`: what began then lasts, unless it is how somebody feels or what somebody is doing. */
function beganLately(words: readonly Word[], { statement }: ReadClause): boolean {
  const since = words.findIndex(({ text }) => text === "since");
  return (
    statement !== undefined &&
    since > 0 &&
    since < words.length - 1 &&
    !words.some(({ text }) => wordGroups["feel"]?.has(text) === true || wordGroups["mood"]?.has(text) === true) &&
    !words.slice(0, since).some(({ text }) => text === "i" || text.endsWith("ing"))
  );
}

/** An order is worth remembering when it is a rule, or decides something. */
function isStated({ words, read }: Pick<ReadPart, "words" | "read">): boolean {
  if (read.statement === undefined) return false;
  const { words: content, isConcrete } = contentOf(words);
  if (content === 0 && !isConcrete) return false;
  if (isAboutIt(words) && !isConcrete && read.statement.isStanding !== true && read.statement.isLasting !== true)
    return false;
  return !read.isOrder || read.statement.kind === "instinct" || read.statement.category === "decision";
}

const ranks = ["procedure", "entity", "preference", "decision", "fact"];

function strongest(patterns: readonly StatementPattern[]): StatementPattern | undefined {
  return patterns.toSorted((left, right) => ranks.indexOf(left.category) - ranks.indexOf(right.category))[0];
}

function refusedOrUnknown(
  parts: readonly ReadPart[],
  base: Pick<Statement, "sentence" | "words" | "isOrder" | "asksForWork" | "takesBack" | "revises">,
  said: string,
  whole: ReadClause,
): Statement {
  // `Nope, the limit stays`: what only leads to something else refuses nothing of it.
  const isLed = parts.some((part) => part.refusal === undefined && contentOf(part.words).words > 1);
  const refusals = parts.flatMap(({ refusal }) =>
    refusal === undefined || (isLed && refusal === "FILLER") ? [] : refusal,
  );
  const refusal = refusals[0] ?? (isLed ? undefined : whole.refusal);
  return { ...base, pattern: undefined, refusal: refusal ?? (base.isOrder ? "TRANSIENT" : undefined), said };
}

/** A request in the form of a question (`can you not fix them?`) is none. */
function asks(text: string, whole: ReadClause, parts: readonly ReadPart[]): boolean {
  // `I'm writing the methods, can you keep British spelling and never use contractions?`
  const request = parts.findIndex(({ clause }) => isRequest(clause.text));
  const isRuled =
    request >= 0 &&
    parts.slice(request).some(({ read }) => read.statement?.kind === "instinct") &&
    !parts.some(({ clause }) => beginsWithCondition(clause.text));
  const isOrdered = isRequest(text) || isRuled;
  if (isOrdered && whole.statement?.kind === "instinct") return false;
  return endsAsQuestion(text) || (whole.refusal === "QUESTION" && !isOrdered);
}
