import type { CapturedTurn, CaptureReason } from "@loci/domain";
import { allSteps, type Steps } from "../../recall/steps.ts";
import { facetsOf } from "../judge/facets.ts";
import { type AcceptedOffer, acceptedOffer } from "./accepted-offers.ts";
import { acknowledged, isAskedOfUser, isLeftAlone } from "./acknowledgements.ts";
import { asidesTold, withoutLooseBrackets } from "./bracketed-asides.ts";
import { type ChosenOption, chosenOption } from "./chosen-options.ts";
import { type Company, companyOf } from "./company.ts";
import { confirms } from "./confirmations.ts";
import { behindCorrection, correctedPattern, isCorrecting, isWorkDone } from "./corrections.ts";
import { explanationOf } from "./explanations.ts";
import { isListItem, ofListItem } from "./list-items.ts";
import { factsOfTheirOwn } from "./facts-of-their-own.ts";
import { joinedInTurn } from "./joined-statements.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { contentOf } from "./read-clause.ts";
import { namedPersonIn } from "./named-people.ts";
import { isAboutPronoun, isBareAmount } from "./pronouns.ts";
import { withoutQuotations } from "./quotations.ts";
import { readSentence, type Statement } from "./read-sentence.ts";
import { withoutRetracted } from "./retractions.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { withStandingTails } from "./standing-tails.ts";
import { inThirdPerson } from "./third-person.ts";
import type { StatementPlace } from "./statement-place.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { answerPattern, chosenPattern, namedPattern } from "./unphrased-patterns.ts";
import { withoutFiction } from "./without-fiction.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";
import { type Word, wordsOf } from "./words.ts";

/** Longest text of a statement, in UTF-16 units. */
const longestText = 600;

/** The statements of the user's turns, those that are refused as well, in order. */
export function statementsOf(turns: readonly CapturedTurn[]): readonly TurnStatement[] {
  return allSteps(statementSteps(turns));
}

/** The same sentence by sentence: a session may have thousands. */
export function* statementSteps(turns: readonly CapturedTurn[]): Steps<readonly TurnStatement[]> {
  const found: TurnStatement[] = [];
  const company = companyOf(turns);
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== "user" || turn.isRecalled === true) continue;
    const before = turns[index - 1];
    const lastSaid = before?.role === "assistant" ? sentencesOf(before.content).at(-1)?.text : undefined;
    const question = lastSaid?.endsWith("?") === true ? lastSaid : undefined;
    const reply = turns[index + 1]?.role === "assistant" ? turns[index + 1]?.content : undefined;
    const written = withoutPastedLines(turn.content);
    const spoken = withoutFiction(withoutQuotations(written));
    const firstAsked = found.findLastIndex((statement) => statement.turn !== turns[index - 2]) + 1;
    const isWork = before?.role === "assistant" && isWorkDone(found.slice(firstAsked));
    const sentences = withoutLooseBrackets(withStandingTails(sentencesOf(written), written));
    const offering = before?.role === "assistant" && before.isRecalled !== true ? before : undefined;
    const offer = offering && acceptedOffer(offering.content, sentences, company);
    if (offering !== undefined && offer !== undefined)
      found.push(takenOffer(offer, sentences, { turn, before: offering, company }));
    const isList = sentences.filter(({ text }) => isListItem(text)).length > 1;
    const waiting = sentences.slice(offer?.taking ?? 0).toReversed();
    for (let isFirst = offer === undefined; waiting.length > 0; isFirst = false) {
      const [sentence, second] = factsOfTheirOwn(waiting.pop() as Sentence, spoken);
      if (second !== undefined) waiting.push(second);
      const isAnswer = isFirst && before?.role === "assistant";
      const item = ofListItem(sentence);
      const said = isAnswer ? behindCorrection(item) : item;
      const read = readSentence(said, spoken.slice(said.start, said.end));
      const corrects = isAnswer && isCorrecting(said === item ? read.words : wordsOf(sentence.text));
      const chosen = isFirst && offering !== undefined ? chosenOption(offering.content, sentence.text) : undefined;
      const asked = isFirst ? question : undefined;
      const isItem = isList && isListItem(sentence.text);
      const place = { turn, before, question: asked, lastSaid, reply, isFirst, isItem, corrects, isWork, company };
      const stated =
        chosen !== undefined && mayChoose.has(read.refusal)
          ? choice(read, chosen, place)
          : inContext(read, place, found);
      found.push(stated);
      waiting.push(...asidesTold(sentence, spoken, stated.refusal));
      const named = stated.pattern === undefined ? namedIn(stated, spoken, found) : undefined;
      if (named !== undefined) found.push(named);
      yield;
    }
  }
  return joinedInTurn(withoutRetracted(found));
}

function takenOffer(
  { text, said, words, offered, taking, pattern }: AcceptedOffer,
  sentences: readonly Sentence[],
  { turn, before, company }: { readonly turn: CapturedTurn; readonly before: CapturedTurn; readonly company: Company },
): TurnStatement {
  const [{ start }, { end }] = [sentences[0] as Sentence, sentences[taking - 1] as Sentence];
  return {
    sentence: { text: turn.content.slice(start, end), start, end },
    words,
    said,
    text: text.slice(0, longestText),
    turn,
    company,
    pattern,
    offered: { turn: before.turn, start: offered.start, end: offered.end, quote: offered.text },
    context: undefined,
    explainedBy: before.turn,
    refusal: undefined,
    isCorrection: false,
    isReply: false,
    isAnswer: false,
    isOrder: false,
    isWithheld: false,
    takesBack: false,
    revises: false,
  };
}

/** What is refused for saying too little may name somebody all the same; what is a secret or taken back may not. */
const mayName: ReadonlySet<CaptureReason | undefined> = new Set([
  undefined,
  "QUESTION",
  "TRANSIENT",
  "VAGUE",
  "FILLER",
]);

/** Whom a sentence names that is not worth remembering otherwise, once. */
function namedIn(
  { turn, sentence, refusal, ...rest }: TurnStatement,
  spoken: string,
  earlier: readonly TurnStatement[],
): TurnStatement | undefined {
  if (!mayName.has(refusal)) return undefined;
  const { start, end } = sentence;
  const person = namedPersonIn({ text: spoken.slice(start, end), start, end });
  if (person === undefined || earlier.some(({ text }) => text === person.text)) return undefined;
  const { place, text } = person;
  return {
    ...rest,
    turn,
    sentence: place,
    words: wordsOf(place.text),
    said: place.text,
    text,
    context: undefined,
    explainedBy: undefined,
    pattern: namedPattern,
    refusal: undefined,
    isCorrection: false,
    isReply: false,
    isAnswer: false,
    isOrder: false,
    takesBack: false,
    revises: false,
  };
}

/** What says nothing by itself may choose; what asks, supposes or is over today does not. */
const mayChoose: ReadonlySet<CaptureReason | undefined> = new Set([undefined, "VAGUE", "FILLER", "OBVIOUS"]);

/** `The former` says what the question tells. */
function choice(read: Statement, { question, option, length }: ChosenOption, place: StatementPlace): TurnStatement {
  const { turn, before, company } = place;
  const said = option + read.sentence.text.slice(length);
  const lead = inThirdPerson(withoutLeadWords(question.replace(/[\s.!?]{1,9}$/, "")), "assistant", company);
  return {
    ...read,
    said,
    turn,
    company,
    context: question,
    explainedBy: before?.turn,
    text: `${lead}: ${inThirdPerson(said, "user", company)}`.slice(0, longestText),
    isCorrection: false,
    isReply: true,
    isAnswer: true,
    isWithheld: false,
    pattern: read.pattern?.kind === "instinct" ? read.pattern : chosenPattern,
    refusal: undefined,
  };
}

/** In words that mean something. */
const fewestOfItem = 2;

function saysEnough(words: readonly Word[]): boolean {
  const content = contentOf(words);
  return content.isConcrete && content.words >= fewestOfItem;
}

function inContext(read: Statement, place: StatementPlace, earlier: readonly TurnStatement[]): TurnStatement {
  const { turn, question, isFirst, company } = place;
  const { context, speaker, explainedBy, isQuestion, over } = explanationOf(read, place, earlier);
  // `Yes, that's right` says nothing by itself.
  const isConfirmed = read.refusal === "FILLER" && question !== undefined && confirms(question, read.words);
  const told = isConfirmed || read.said === "" ? read.sentence.text : withoutLeadWords(read.said);
  const said = inThirdPerson(told, "user", company);
  // What says something by itself needs no question in front of it; it still helps to tell what it is about.
  const isAnswerAlone =
    isQuestion &&
    over === undefined &&
    read.pattern !== undefined &&
    !isAboutPronoun(read.words) &&
    !isBareAmount(read.words);
  const lead =
    context === undefined || isAnswerAlone ? "" : `${inThirdPerson(withoutLeadWords(context), speaker, company)}: `;
  const last = earlier.at(-1);
  const replaces = last?.turn === turn && last.refusal === undefined && facetsOf(last.said).tellsEnd;
  // A turn that begins with a correction goes on with it.
  const goesOn = !isFirst && last?.turn === turn && last.isCorrection;
  const isCorrection = goesOn || place.corrects;
  const corrected = isCorrection ? correctedPattern(read, place.isWork) : read.pattern;
  const mayBeTaken = read.refusal === undefined || read.refusal === "VAGUE";
  const isTakenUp =
    isConfirmed ||
    (place.isItem && read.pattern === undefined && read.refusal === undefined && saysEnough(read.words)) ||
    (over !== undefined && read.pattern === undefined && mayBeTaken);
  const pattern = corrected ?? (isTakenUp ? answerPattern : acknowledged(read, place, replaces));
  const refusal =
    pattern === read.pattern ? (read.refusal ?? (isLeftAlone(read, place) ? "VAGUE" : undefined)) : undefined;
  return {
    ...read,
    said: over ?? read.said,
    turn,
    company,
    context,
    explainedBy,
    text: (lead + said).slice(0, longestText),
    isCorrection,
    isReply: question !== undefined,
    isAnswer: isAskedOfUser(question) || pattern === answerPattern,
    isWithheld: false,
    pattern,
    refusal,
  };
}
