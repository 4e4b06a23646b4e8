import { stopWords } from "../../text/stop-words.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { numberNamed } from "./number-words.ts";
import { contentOf } from "./read-clause.ts";
import { hasVerb } from "./finite-verbs.ts";
import { tellsHowThingsWork } from "./how-things-work.ts";
import type { Statement } from "./read-sentence.ts";
import { sentencesOf } from "./sentences.ts";
import type { StatementPlace } from "./statement-place.ts";
import { answerPattern, restatedPattern, successorPattern } from "./unphrased-patterns.ts";
import { isDateWord, isDoing, isNameLike, isNumberWord, ownSubjects } from "./word-kinds.ts";
import { wordGroups } from "./word-groups.ts";
import { type Word, wordsOf } from "./words.ts";

/** Whether a sentence answers a question about the user or what is wanted, and not one of a quiz. */
export function isAskedOfUser({ question, hasTold, replies: [reply = ""] }: StatementPlace): boolean {
  if (question === undefined) return false;
  return asksTheUser(question) || (hasTold && !assesses.test(reply));
}

/** What the assistant says to an answer that it knew. */
const assesses =
  /^(?:that['\u2019]s |that is |you['\u2019]re |almost|not )?(?:absolutely |exactly |quite )?(?:correct|incorrect|right!|well done|wrong|quite|good job|nice try|close)(?!\p{L})/iu;

function asksTheUser(question: string): boolean {
  return (
    /\b(?:you|your|which|who|where|when|or)\b/i.test(question) ||
    question.split(" ").length <= 3 ||
    asksOfTheirs.test(question)
  );
}

/** `How old is she?`, `What kind of dog is it?`, `What does he like to read?`: of whom or what the user has told. How many apples she has is a quiz. */
const asksOfTheirs =
  /(?<!\p{L})(?:how old|(?:what|which) (?:kind|sort|type|breed|brand|make|model|size|colou?r)(?: of \p{L}{2,20})?)(?: (?:is|are) (?:she|he|they|it|her|his|their)(?!\p{L})|\?$)|(?<!\p{L})where (?:is|are|does|do) (?:she|he|they|her|his|their)(?!\p{L})|(?<!\p{L})(?:what|which) [^?]{0,40}(?<!\p{L})(?:is|are|does|do) (?:she|he|they) (?:\p{L}{2,12} ){0,2}(?:like|love|prefer|use|using|eat|drink|have|need|want|drive|play)(?!\p{L})/iu;

/** When something was is asked in a quiz. */
const asksWhen = String.raw`when(?= (?:is|are|does|do|will|should)(?!\p{L})|['\u2019]s)`;
/** `Flights from where?` is answered by a name alone, `When is the launch?` by a day. */
const asksForOne = new RegExp(String.raw`(?<!\p{L})(?:which|what|where|who|whom|whose|how|${asksWhen})(?!\p{L})`, "iu");
const asksForDay = new RegExp(
  String.raw`(?<!\p{L})(?:${asksWhen}|deadline|what time|(?:what|which) (?:day|date|week|month|year))(?!\p{L})`,
  "iu",
);

/** In words. */
const longestShort = 5;

/** A question of what somebody has or wants, and not of what happened, or how somebody feels. */
const asksWhatIs =
  /(?<!\p{L})(?:what|which|where|how (?:many|much|old|big|long|large|often)) [^?]{0,80}(?<!\p{L})(?:do you|are you|would you|have you|your)(?!\p{L})(?! (?:feel|think|mean|say|see|know|suggest))/iu;
const asksYesOrNo = /(?:^|, )(?:is|are|does|do) [^?,]{2,80}\?$/iu;

/** `Which stove do you have?` is answered by `hob only`, `Is that what production runs?` by `22`. */
function isShortAnswer({ words, refusal, isOrder }: Statement, question: string | undefined): boolean {
  if (question === undefined || refusal !== undefined || isOrder || words.length > longestShort || hasVerb(words))
    return false;
  const { words: content, isConcrete } = contentOf(words);
  if (words.every(({ text }) => isNumberWord(text))) return asksYesOrNo.test(question);
  return (
    content + (isConcrete ? 1 : 0) > 0 &&
    (asksWhatIs.test(question) || asksOfTheirs.test(question)) &&
    !words.some(({ text }) => denying.has(text))
  );
}

const denying: ReadonlySet<string> = new Set("no none nothing nowhere not".split(" "));

/** `What is the teacher's name?` */
const asksForName =
  /(?<!\p{L})(?:who|whose|(?:is|are|was|whats|what['\u2019]s) [\p{L}'\u2019 ]{0,40}names?|called)(?!\p{L})/iu;

/**
 * What the grammar does not know, but the assistant took for something to keep: an answer to what it asked, or what it said
 * again in its reply. An order that it only carried out is none.
 */
export function acknowledged(read: Statement, place: StatementPlace, replaces: boolean): StatementPattern | undefined {
  const { question, replies, isWorkedOn } = place;
  const isOneOrder = read.isOrder && read.refusal === "TRANSIENT";
  const { words, isConcrete } = contentOf(read.words);
  // `On 14 May` says too little only where nothing is asked.
  const isDay =
    (read.refusal === "VAGUE" || read.refusal === "TRANSIENT") &&
    read.words.length <= longestShort &&
    words <= 2 &&
    isConcrete &&
    question !== undefined &&
    asksForDay.test(question);
  if (read.pattern !== undefined || (read.refusal !== undefined && !isOneOrder && !isDay)) return undefined;
  // `62.` is an answer, or says nothing.
  if (words === 0 && !(isConcrete && question !== undefined)) return undefined;
  if (isConcrete && replaces) return successorPattern;
  if (isShortAnswer(read, question)) return answerPattern;
  // `Added the endpoint` tells that an order is carried out. Of what programs print agents speak as well.
  const mayBeSaidAgain = place.isAllOwn && !(isWorkedOn && read.isOrder);
  const isSaidAgain = mayBeSaidAgain && replies.some((reply) => restates(reply, read.words));
  if (question !== undefined && asksForName.test(question) && read.words.some(isNameLike)) return answerPattern;
  if (isAskedOfUser(place) && (isSaidAgain || (isConcrete && (words > 1 || asksForOne.test(question ?? "")))))
    return answerPattern;
  if (!isSaidAgain || (read.isOrder && replies.some((reply) => tellsWork(reply)))) return undefined;
  return (words > 1 || isConcrete) && isEnglish(read.words) ? restatedPattern : undefined;
}

/** Whether a word tells that it is English, or it has a number or date: a greeting in another language is said back as well. */
function isEnglish(words: readonly Word[]): boolean {
  return words.some(({ text }) => stopWords.has(text) || isNumberWord(text) || isDateWord(text) || /\d/.test(text));
}

/** In UTF-16 units: what a reply says of it stands at its beginning. */
const longestReply = 600;

/**
 * Whether nothing says that a statement is worth keeping: it names no number, date or name, is not of the speaker, states no rule,
 * and the assistant's reply is about something else. One that tells of its work leaves no rule, decision, or how things work alone.
 */
export function isLeftAlone({ pattern, words, said }: Statement, place: StatementPlace): boolean {
  const { replies, isWorkedOn, isWithTools } = place;
  if (isAskedOfUser(place) && hasVerb(words)) return false;
  if (isWorkedOn && (pattern?.kind === "instinct" || pattern?.category === "decision")) return false;
  if (isWithTools && pattern !== undefined && tellsHowThingsWork(said)) return false;
  if (pattern === undefined || pattern.isStanding === true || pattern.isEnough === true || replies.length === 0)
    return false;
  const reply = replies.join("\n");
  // Who takes a rule says that first, or no more than that.
  if (
    pattern.kind === "instinct" &&
    (takesRule.test(reply) || wordsOf(reply.slice(0, longestReply)).length <= longestAssent)
  )
    return false;
  if (contentOf(words).isConcrete || words.some(({ text }) => ownSubjects.has(text))) return false;
  const roots = rootsOf(wordsOf(reply.slice(0, longestReply)));
  return !contentWords(words).some(({ text }) => roots.has(text.slice(0, rootLength)));
}

/** Whether a reply begins as one does that takes a rule. */
export function assents(reply: string): boolean {
  return takesRule.test(reply);
}

/** `Understood, I have taken them out.` */
const takesRule =
  /^(?:understood|noted|got it|will do|agreed|of course|point taken|fair enough|you['\u2019]re right|apologies|i apologi[sz]e|sorry|my apologies|from now on|i won['\u2019]t|i will not|that['\u2019]s (?:the|a) rule)(?!\p{L})/iu;

/** `OK.`, `Understood.`, `I will not.` is about nothing else. In words. */
const longestAssent = 3;

/** Whether a reply says again at least half of what was said, in so few words that it does nothing else. */
function restates(reply: string, words: readonly Word[]): boolean {
  const [first] = sentencesOf(reply);
  if (first === undefined || first.text.endsWith("?")) return false;
  const replied = wordsOf(first.text);
  const [lead] = replied;
  if (lead === undefined || replied.length > 14 || lead.text === "i" || isDone(lead)) return false;
  if (namesAgain(words, replied)) return true;
  const roots = rootsOf(replied);
  const content = contentWords(words);
  const again = content.filter(({ text }) => roots.has(text.slice(0, rootLength))).length;
  return again > 0 && 2 * again >= content.length;
}

/** `Moved to the 12th`: tells of something that was done. */
function isDone({ text }: Word): boolean {
  return text === "done" || /[^e]ed$/.test(text);
}

/** `Deploying it now`, `Tests added`, `a table for two, done`: tells of an order that it is carried out. */
function tellsWork(reply: string): boolean {
  const words = wordsOf(sentencesOf(reply)[0]?.text ?? "");
  return isDoing(words[0]?.text ?? "") || carriedOut.has(words.at(-1)?.text ?? "");
}

const carriedOut: ReadonlySet<string> = new Set(
  "done added sent booked created updated fixed deleted deployed saved uploaded ordered written installed".split(" "),
);

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
