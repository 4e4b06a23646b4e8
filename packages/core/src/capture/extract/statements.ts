import type { CapturedTurn, CaptureEvidence, CaptureReason } from "@loci/domain";
import { allSteps, type Steps } from "../../recall/steps.ts";
import { facetsOf } from "../judge/facets.ts";
import { stopWords } from "../../text/stop-words.ts";
import { type AcceptedOffer, acceptedOffer } from "./accepted-offers.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { behindCorrection, correctedPattern, isCorrecting, isWorkDone } from "./corrections.ts";
import { type Company, companyOf } from "./company.ts";
import { confirms } from "./confirmations.ts";
import { contentOf } from "./read-clause.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { hasVerb, readSentence, type Statement } from "./read-sentence.ts";
import { namedPersonIn } from "./named-people.ts";
import { withoutQuotations } from "./quotations.ts";
import { answerPattern, namedPattern, restatedPattern, successorPattern } from "./unphrased-patterns.ts";
import { clausesOf, type Sentence, sentencesOf } from "./sentences.ts";
import { inThirdPerson } from "./third-person.ts";
import { numberNamed } from "./number-words.ts";
import { isDateWord, isNameLike, isNumberWord, leadingWords, ownSubjects } from "./word-kinds.ts";
import { withoutPastedLines } from "./without-pasted-lines.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** What a turn of the user states, with what explains it. */
export interface TurnStatement extends Statement {
  readonly turn: CapturedTurn;
  /** Whom the user means who says `we`. */
  readonly company: Company;
  /** What was said before it, and without which it cannot be understood. */
  readonly context: string | undefined;
  /** The turn that the context is of, when it is no question just before it. */
  readonly explainedBy: number | undefined;
  /** In the third person, with its context. */
  readonly text: string;
  /** It corrects what the assistant did or said. */
  readonly isCorrection: boolean;
  /** It is said behind a question to the user. */
  readonly isAnswer: boolean;
  /** What the assistant offered, when it is that which the user takes. */
  readonly offered?: CaptureEvidence | undefined;
  /** The user asked that it be kept nowhere. */
  readonly isWithheld: boolean;
}

/** Longest text of a statement, in UTF-16 units. */
const longestText = 600;
/** A shorter sentence answers the question before it. In words. */
const longestAnswer = 9;
/** So many statements before may explain one. */
const lookedBack = 12;

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
    const spoken = withoutQuotations(written);
    const asked = turns[index - 2];
    const firstAsked = found.findLastIndex((statement) => statement.turn !== asked) + 1;
    const isWork = before?.role === "assistant" && isWorkDone(found.slice(firstAsked));
    const sentences = sentencesOf(written);
    const offer = before?.role === "assistant" ? acceptedOffer(before.content, sentences, company) : undefined;
    if (offer !== undefined)
      found.push(takenOffer(offer, sentences, { turn, before: before as CapturedTurn, company }));
    const waiting = sentences.slice(offer?.taking ?? 0).toReversed();
    for (let isFirst = offer === undefined; waiting.length > 0; isFirst = false) {
      const [sentence, second] = factsOfTheirOwn(waiting.pop() as Sentence, spoken);
      if (second !== undefined) waiting.push(second);
      const isAnswer = isFirst && before?.role === "assistant";
      const said = isAnswer ? behindCorrection(sentence) : sentence;
      const read = readSentence(said, spoken.slice(said.start, said.end));
      const corrects = isAnswer && isCorrecting(said === sentence ? read.words : wordsOf(sentence.text));
      const stated = inContext(
        read,
        { turn, before, question: isFirst ? question : undefined, lastSaid, reply, isFirst, corrects, isWork, company },
        found,
      );
      found.push(stated);
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
    isAnswer: false,
    isOrder: false,
    isWithheld: false,
    takesBack: false,
    revises: false,
  };
}

const ownSubject = String.raw`(?:I|I['\u2019]m|I['\u2019]ve|we|we['\u2019]re|my|our) `;
const notOfOneself = String.raw`(?!(?:it|that|this|there|they|which|who|what|she|he|we|you|but|so|and|or|not|as) )`;
const otherSubject = String.raw`(?:(?:the|my|our|their) )?${notOfOneself}\p{L}{3,30} (?:is|are|was|were) `;
const namedSubject = String.raw`\p{Lu}\p{L}{1,30} (?:${[...(wordGroups["does"] ?? [])].join("|")}) `;
const joint = new RegExp(
  String.raw`,? and (?=${ownSubject}|(?:the|their) (?:\p{L}{2,30} )?\p{L}{3,30} (?:is|are|was|were|runs|has) |${namedSubject})|, (?=${otherSubject})`,
  "gu",
);
/** In UTF-16 units: a longer one tells a story. */
const longestOfTwo = 160;

/**
 * `I live in Utrecht and I work as a nurse` are two facts, of which one may end without the other. Only where both halves are facts
 * by themselves.
 */
function factsOfTheirOwn(sentence: Sentence, spoken: string): readonly [Sentence, Sentence?] {
  const { text, start, end } = sentence;
  const joints = text.length > longestOfTwo ? [] : [...text.matchAll(joint)];
  const [found] = joints;
  if (found === undefined || joints.length > 1 || text.endsWith("?")) return [sentence];
  const middle = start + found.index;
  const behind = middle + found[0].length;
  const halves: readonly [Sentence, Sentence] = [
    { text: text.slice(0, found.index), start, end: middle },
    { text: text.slice(found.index + found[0].length), start: behind, end },
  ];
  const areFacts = halves.every((half) => {
    const { pattern, refusal } = readSentence(half, spoken.slice(half.start, half.end));
    return pattern?.kind === "semantic" && refusal === undefined && isLongEnough(half);
  });
  return areFacts ? halves : [sentence];
}

/** `Paul is vegetarian` is a fact, `my husband Paul, 40` somebody. */
function isLongEnough(half: Sentence): boolean {
  const [first, ...others] = wordsOf(half.text.split(",", 1)[0] as string);
  return others.length >= (first?.text === "my" || first?.text === "our" ? 3 : 2);
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
    isAnswer: false,
    isOrder: false,
    takesBack: false,
    revises: false,
  };
}

/** Where a sentence stands. */
interface Place {
  readonly turn: CapturedTurn;
  /** The turn before, */
  readonly before: CapturedTurn | undefined;
  /** the question that it ends with, when the sentence comes first behind it, */
  readonly question: string | undefined;
  /** the last sentence of it, */
  readonly lastSaid: string | undefined;
  /** and what the assistant replied. */
  readonly reply: string | undefined;
  readonly isFirst: boolean;
  /** It begins with words that correct the assistant, */
  readonly corrects: boolean;
  /** which was told to do something, and not asked about something. */
  readonly isWork: boolean;
  readonly company: Company;
}

function inContext(read: Statement, place: Place, earlier: readonly TurnStatement[]): TurnStatement {
  const { turn, question, isFirst, company } = place;
  const isShort = read.words.length <= longestAnswer;
  const near = earlier.slice(-lookedBack);
  const lastTold = near.findLast((statement) => statement.turn !== turn)?.turn;
  const revised = read.revises
    ? near.findLast(
        (statement) => (statement.turn === turn || statement.turn === lastTold) && isRevisedBy(statement, read),
      )
    : undefined;
  const meant = isAboutPronoun(read.words)
    ? near.findLast(
        (statement) =>
          statement.turn === turn ||
          statement.pattern !== undefined ||
          // `No, it is closed`: what was asked tells what.
          (place.corrects && statement.refusal === "QUESTION"),
      )
    : undefined;
  const named = isAboutPerson(read.words) ? near.findLast(({ pattern }) => pattern === namedPattern) : undefined;
  const previous = revised ?? named ?? meant;
  const previousSaid = previous?.said.replace(askedBehind, "");
  // `Do you still use Lingofox?`, `No, I deleted it in January`
  const isOver = isFirst && question !== undefined && asksIfStill(question) && facetsOf(read.sentence.text).tellsEnd;
  // What stands first in a turn points to what the assistant said last, and not to what the user did.
  const isAsked = place.corrects && meant?.refusal === "QUESTION";
  const answered = isFirst && !isAsked && meant?.turn !== turn && pointsBack(read.words) ? place.lastSaid : undefined;
  const explains =
    isOver || (question !== undefined && isShort && named === undefined) ? question : (answered ?? previousSaid);
  const context =
    explains === undefined || explains === "" ? undefined : clipped(explains.replace(/[\s.!?]{1,9}$/, ""));
  // `Yes, that's right` says nothing by itself.
  const isConfirmed = read.refusal === "FILLER" && question !== undefined && confirms(question, read.words);
  const said = inThirdPerson(
    isConfirmed || read.said === "" ? read.sentence.text : withoutLeadWords(read.said),
    "user",
    company,
  );
  // What says something by itself needs no question in front of it; it still helps to tell what it is about.
  const isAnswerAlone =
    explains !== undefined &&
    explains === question &&
    !isOver &&
    read.pattern !== undefined &&
    !isAboutPronoun(read.words) &&
    !isBareAmount(read.words);
  const shown = isAnswerAlone ? undefined : context;
  const text = (
    shown === undefined
      ? said
      : `${inThirdPerson(withoutLeadWords(shown), explains === question || explains === answered ? "assistant" : "user", company)}: ${said}`
  ).slice(0, longestText);
  const last = earlier.at(-1);
  const replaces = last?.turn === turn && last.refusal === undefined && facetsOf(last.said).tellsEnd;
  // A turn that begins with a correction goes on with it.
  const goesOn = !isFirst && last?.turn === turn && last.isCorrection;
  const isCorrection = goesOn || place.corrects;
  const corrected = isCorrection ? correctedPattern(read, place.isWork) : read.pattern;
  const mayBeTaken = read.refusal === undefined || read.refusal === "VAGUE";
  const isTakenUp = isConfirmed || (isOver && read.pattern === undefined && mayBeTaken);
  const pattern = corrected ?? (isTakenUp ? answerPattern : acknowledged(read, place, replaces));
  const refusal =
    pattern === read.pattern ? (read.refusal ?? (isLeftAlone(read, place) ? "VAGUE" : undefined)) : undefined;
  const explainedBy = explains !== undefined && explains === answered ? place.before?.turn : previous?.turn.turn;
  return {
    ...read,
    said: isOver ? `${question} ${endingClause(read.sentence.text)}` : read.said,
    turn,
    company,
    context,
    explainedBy,
    text,
    isCorrection,
    isAnswer: isAskedOfUser(question),
    isWithheld: false,
    pattern,
    refusal,
  };
}

function isAskedOfUser(question: string | undefined): question is string {
  return question !== undefined && asksTheUser(question);
}

/** `Flights from where?` is answered by a name alone. */
const asksForOne = /(?<!\p{L})(?:which|what|where|who|whom|whose|how)(?!\p{L})/iu;

/**
 * What the grammar does not know, but the assistant took for something to keep: an answer to what it asked, or what it said
 * again in its reply. An order that it only carried out is none.
 */
function acknowledged(read: Statement, { question, reply }: Place, replaces: boolean): StatementPattern | undefined {
  const isOneOrder = read.isOrder && read.refusal === "TRANSIENT";
  if (read.pattern !== undefined || (read.refusal !== undefined && !isOneOrder)) return undefined;
  const { words, isConcrete } = contentOf(read.words);
  // `62.` is an answer, or says nothing.
  if (words === 0 && !(isConcrete && question !== undefined)) return undefined;
  if (isConcrete && replaces) return successorPattern;
  const isSaidAgain = reply !== undefined && restates(reply, read.words);
  if (isAskedOfUser(question) && (isSaidAgain || (isConcrete && (words > 1 || asksForOne.test(question)))))
    return answerPattern;
  return isSaidAgain && (words > 1 || isConcrete) && isEnglish(read.words) ? restatedPattern : undefined;
}

/** Whether a word tells that it is English, or it has a number or date: a greeting in another language is said back as well. */
function isEnglish(words: readonly Word[]): boolean {
  return words.some(({ text }) => stopWords.has(text) || isNumberWord(text) || isDateWord(text) || /\d/.test(text));
}

/**
 * Whether nothing says that a statement is worth keeping: it names no number, date or name, is not of the speaker, states no rule,
 * and the assistant's reply is about something else.
 */
function isLeftAlone({ pattern, words }: Statement, { question, reply }: Place): boolean {
  if (isAskedOfUser(question) && hasVerb(words)) return false;
  if (pattern === undefined || pattern.isStanding === true || pattern.isEnough === true || reply === undefined)
    return false;
  // Who takes a rule says no more than that.
  if (pattern.kind === "instinct" && wordsOf(reply.slice(0, longestText)).length <= longestAssent) return false;
  if (contentOf(words).isConcrete || words.some(({ text }) => ownSubjects.has(text))) return false;
  const roots = rootsOf(wordsOf(reply.slice(0, longestText)));
  return !contentWords(words).some(({ text }) => roots.has(text.slice(0, rootLength)));
}

/** `OK.`, `Understood.`, `I will not.` is about nothing else. In words. */
const longestAssent = 3;

/** Whether a reply says again at least half of what was said, in so few words that it does nothing else. */
function restates(reply: string, words: readonly Word[]): boolean {
  const [first] = sentencesOf(reply);
  if (first === undefined || first.text.endsWith("?")) return false;
  const replied = wordsOf(first.text);
  const [lead] = replied;
  if (
    lead === undefined ||
    replied.length > 14 ||
    lead.text === "i" ||
    lead.text === "done" ||
    /[^e]ed$/.test(lead.text)
  )
    return false;
  if (namesAgain(words, replied)) return true;
  const roots = rootsOf(replied);
  const content = contentWords(words);
  const again = content.filter(({ text }) => roots.has(text.slice(0, rootLength))).length;
  return again > 0 && 2 * again >= content.length;
}

/** Whether a number, date or name is said again: `Schütz, the St Matthew one`, `Then I note Schütz.` */
function namesAgain(words: readonly Word[], replied: readonly Word[]): boolean {
  const again = new Set(replied.map(({ text }) => numberNamed(text)));
  return words.some(
    (word, index) =>
      (isNumberWord(word.text) || isDateWord(word.text) || isNameLike(word, index)) &&
      again.has(numberNamed(word.text)),
  );
}

function rootsOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(words.map(({ text }) => text.slice(0, rootLength)));
}

function contentWords(words: readonly Word[]): readonly Word[] {
  return words.filter(
    ({ text }) =>
      !stopWords.has(text) && wordGroups["common"]?.has(text) !== true && wordGroups["mood"]?.has(text) !== true,
  );
}

/** `cite` and `citations` are compared by so many letters. */
const rootLength = 3;

/** A sentence that goes on about what the one before it says is part of its statement, as long as both are no longer than this. */
const longestJoined = 200;

function joinedInTurn(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  const joined: TurnStatement[] = [];
  for (const statement of statements) {
    const before = joined.at(-1);
    if (before !== undefined && belongTogether(before, statement))
      joined[joined.length - 1] = together(before, statement);
    else joined.push(statement);
  }
  return joined;
}

function belongTogether(left: TurnStatement, right: TurnStatement): boolean {
  const areStated = [left, right].every(({ pattern, refusal }) => pattern !== undefined && refusal === undefined);
  const ends = [left, right].some(({ said }) => facetsOf(said).tellsEnd);
  const goesOn = isAboutPronoun(right.words) && left.pattern?.kind === right.pattern?.kind;
  return (
    areStated && goesOn && !ends && left.turn === right.turn && left.text.length + right.said.length < longestJoined
  );
}

function together(left: TurnStatement, right: TurnStatement): TurnStatement {
  const pattern =
    left.pattern?.kind === "instinct" || right.pattern?.kind !== "instinct" ? left.pattern : right.pattern;
  const end = /[.!?]$/.test(left.text) ? " " : ". ";
  return {
    ...left,
    pattern,
    text: left.text + end + inThirdPerson(withoutLeadWords(right.said), "user", right.company),
    said: `${left.said} ${right.said}`,
    words: [...left.words, ...right.words],
    sentence: {
      ...left.sentence,
      text: left.turn.content.slice(left.sentence.start, right.sentence.end),
      end: right.sentence.end,
    },
    isCorrection: left.isCorrection || right.isCorrection,
  };
}

/** What is asked of the assistant explains nothing: `it fails at 250 ms, so can you look at the cache?` */
const askedBehind =
  /(?:^|[\s,]{1,9})(?:(?:and|so|but),? )?(?:(?:can|could|would|will) you|do you think|what do you) .{0,600}$/isu;

/** In UTF-16 units. */
const longestContext = 140;

/** The end of a long text, from where a part of it begins, or a word at least. */
function clipped(text: string): string {
  if (text.length <= longestContext) return text;
  const end = text.slice(-longestContext - 1);
  const joint = /[,;:.!?\u2013\u2014-]\s+(?=[^\s\d])/u.exec(end.slice(0, -longestContext / 2)) ?? /\s(?=\S)/u.exec(end);
  return joint === null ? end.slice(1) : end.slice(joint.index + joint[0].length);
}

/** A question about the user or what is wanted, not one of a quiz. */
function asksTheUser(question: string): boolean {
  return /\b(?:you|your|which|who|where|when|or)\b/i.test(question) || question.split(" ").length <= 3;
}

const pronouns: ReadonlySet<string> = new Set("it she he they them her him that those these this both".split(" "));
const beforeAmounts: ReadonlySet<string> = new Set(
  "about around roughly approximately maybe only at least most up to".split(" "),
);

/** `About 20 minutes a day`: of what, only the question tells. */
function isBareAmount(words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text) && !beforeAmounts.has(text));
  return first !== undefined && isNumberWord(first.text) && !words.some(({ text }) => ownSubjects.has(text));
}

const stillAsking = /^(?:[^,]{1,30}, )?(?:is|are|was|were|do|does|did|has|have) \p{L}/iu;

/** `Is he still at the day centre?` */
function asksIfStill(question: string): boolean {
  return stillAsking.test(question);
}

/** The part of a sentence that tells that something is over. */
function endingClause(text: string): string {
  return clausesOf(text).find((clause) => facetsOf(clause.text).tellsEnd)?.text ?? text;
}

/** In words, behind those that only lead to what is said. */
const longestBeforePointing = 4;
const pointed: ReadonlySet<string> = new Set("it that them those these".split(" "));
const naming: ReadonlySet<string> = new Set("the a an my our his her their this these those".split(" "));

/** `I quit that after Easter`, `That I do anyway`: what is meant was said before. */
function pointsBack(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !leadingWords.has(text)).slice(0, longestBeforePointing);
  const at = said.findIndex(({ text }) => pointed.has(text));
  return at >= 0 && said.slice(0, at).every((word, index) => !naming.has(word.text) && !isNameLike(word, index + 1));
}

const persons: ReadonlySet<string> = new Set("he she his her him".split(" "));

/** Whether it begins with a pronoun for somebody. */
function isAboutPerson(words: readonly Word[]): boolean {
  return beginsWith(persons, words);
}

/** Whether the subject is a bare pronoun, so that only what stands before tells what it is about. */
function isAboutPronoun(words: readonly Word[]): boolean {
  return beginsWith(pronouns, words);
}

/** Behind words that only lead to what is said. */
function beginsWith(some: ReadonlySet<string>, words: readonly Word[]): boolean {
  const first = words.find(({ text }) => !leadingWords.has(text));
  return first !== undefined && some.has(first.text);
}

/** Of one thing the last statement counts: what a later one takes back or gives another number, date or name is retracted. */
function withoutRetracted(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  const retracted = new Set<TurnStatement>();
  const withheld = new Set<TurnStatement>();
  for (const [index, later] of statements.entries()) {
    if (later.takesBack) {
      const before = statements[index - 1];
      for (const each of before === undefined ? [later] : [before, later]) {
        retracted.add(each);
        withheld.add(each);
      }
    } else if (later.revises) {
      // What was told before that is settled.
      const lastTold = statements.slice(0, index).findLast(({ turn }) => turn !== later.turn)?.turn;
      const earlier = statements
        .slice(Math.max(0, index - 6), index)
        .filter((each) => each.turn === later.turn || each.turn === lastTold)
        .findLast((each) => each.pattern !== undefined && isRevisedBy(each, later));
      if (earlier !== undefined) retracted.add(earlier);
    }
  }
  return statements.map((each) =>
    retracted.has(each)
      ? { ...each, refusal: "RETRACTED" satisfies CaptureReason, isWithheld: withheld.has(each) }
      : each,
  );
}

function isRevisedBy(earlier: Statement, later: Statement): boolean {
  const kinds = (words: readonly Word[]): readonly boolean[] => [
    words.some(({ text }) => isNumberWord(text)),
    words.some(({ text }) => isDateWord(text)),
  ];
  const [hadNumber, hadDate] = kinds(earlier.words);
  const [hasNumber, hasDate] = kinds(later.words);
  return (hadNumber === true && hasNumber === true) || (hadDate === true && hasDate === true);
}
