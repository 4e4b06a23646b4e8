import { isPastTense } from "../../text/past-tense.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { contentOf, withoutCondition } from "./read-clause.ts";
import type { Statement } from "./read-sentence.ts";
import { isRequest } from "./requests.ts";
import type { Sentence } from "./sentences.ts";
import { correctedFact, correctedRule } from "./unphrased-patterns.ts";
import { isNumberWord, leadingWords, ownSubjects } from "./word-kinds.ts";
import { isInAnotherLanguage } from "./other-languages.ts";
import type { Word } from "./words.ts";

const longestLead = 40;

/** `That is not right, always …`, `Careful: never …`: what is right, when it follows in the same sentence. */
export function behindCorrection(sentence: Sentence): Sentence {
  const lead =
    /^(?:(?:(?:that|this)(?: is|['’]s| was) (?:wrong|incorrect|not right|not correct)|careful)[,:;]|no\.) /iu.exec(
      sentence.text.slice(0, longestLead),
    );
  if (lead === null) return sentence;
  return { ...sentence, text: sentence.text.slice(lead[0].length), start: sentence.start + lead[0].length };
}

const correcting: ReadonlySet<string> = new Set("no wrong not careful nope incorrect".split(" "));
/** `No thanks` corrects nothing. */
const polite: ReadonlySet<string> = new Set("thanks thank problem worries need rush hurry longer more idea".split(" "));

/** `Not Tuesdays`: says what is not so, behind words that only lead to it. */
export function denies(words: readonly Word[]): boolean {
  return words.find(({ text }) => !leadingWords.has(text))?.text === "not";
}

/** Whether a sentence begins with words that correct whoever spoke before. */
export function isCorrecting([first, second, third, fourth]: readonly Word[]): boolean {
  if (first === undefined) return false;
  if (correcting.has(first.text)) return second === undefined || !polite.has(second.text);
  const isSaidOfIt =
    (first.text === "that" || first.text === "this") && (second?.text === "is" || second?.text === "was");
  if (!isSaidOfIt || third === undefined) return false;
  if (third.text === "not") return fourth !== undefined && ["right", "correct", "what", "how"].includes(fourth.text);
  return third.text === "wrong" || third.text === "incorrect";
}

/**
 * Whether a reply is work of the assistant, and not an answer: it was given something to do, as an order, as what is wanted, or as
 * a request in the form of a question.
 */
export function isWorkDone(asked: readonly Statement[]): boolean {
  const last = asked.at(-1);
  return last !== undefined && (last.refusal !== "QUESTION" || asked.some(isAsked));
}

function isAsked({ isOrder, sentence }: Statement): boolean {
  return isOrder || isRequest(sentence.text);
}

/**
 * What a statement is that corrects the assistant. Of work, all that holds for more than once is a rule: `No, the term on an
 * invoice is always 30 days`. Of an answer, what is told of how things are stays a fact: `No, the museum is always open`.
 */
export function correctedPattern(statement: Statement, isOfWork: boolean): StatementPattern | undefined {
  const { pattern, refusal, words, isOrder } = statement;
  const isUniversal = words.some(({ text }) => universal.has(text));
  if (pattern?.kind === "instinct")
    return isOfWork || !isUniversal || pattern.isStanding === true || !tellsHowItIs(words) ? pattern : correctedFact;
  if (isInAnotherLanguage(statement.sentence.text)) return pattern;
  // `No,` by itself is filler.
  if (refusal !== undefined && refusal !== "VAGUE" && refusal !== "FILLER") return pattern;
  const holdsForMany = isUniversal || (isOfWork && !isOrder && speaksOfMany(words) && !tellsHowItIs(words));
  return holdsForMany && isRule(words, isOfWork) ? correctedRule : pattern;
}

const determiners: ReadonlySet<string> = new Set(
  "the these those this that a an my your our his her its their some both all of".split(" "),
);

/** It begins with a kind of thing: `rehearsals belong into the calendar`, and not `the two rehearsals`, `it lags by minutes`. */
function speaksOfMany(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !correcting.has(text)).slice(0, longestKind);
  const place = said.findIndex(
    ({ text }) => text.length > 3 && text.endsWith("s") && !/(?:ss|us|is|'s|ways|less)$/u.test(text),
  );
  return place >= 0 && said.slice(0, place).every(({ text }) => !determiners.has(text) && !isNumberWord(text));
}

/** Words of `printer paper orders`. */
const longestKind = 3;

/** What holds for more than once. */
const universal: ReadonlySet<string> = new Set("always never ever every each must".split(" "));
/** What begins with an occasion goes on with an order: `After every storm, write the damage into the log`. */
const occasions: ReadonlySet<string> = new Set("after before at for in on when with".split(" "));

function isRule(words: readonly Word[], isOfWork: boolean): boolean {
  if (words.some(({ text }) => ownSubjects.has(text))) return false;
  if (contentOf(words).words <= (isOfWork ? 1 : 2)) return false;
  if (isOfWork) return !tellsPast(words) && !tellsOfEach(words);
  return tellsDuty(words) || (occasions.has(words[0]?.text ?? "") && !tellsHowItIs(words));
}

const duties: ReadonlySet<string> = new Set("must should shall".split(" "));

/** `Every seat is taken`, and not `the term is always 30 days`. */
function tellsOfEach(words: readonly Word[]): boolean {
  const has = (...texts: readonly string[]): boolean => words.some(({ text }) => texts.includes(text));
  return has("is", "are") && !has("always", "never", "must");
}

/** It must, should or needs to be so, and did not begin at some time: what began is how things are. */
function tellsDuty(words: readonly Word[]): boolean {
  if (tellsHowItIs(words) || words.some(({ text }) => text === "since")) return false;
  return words.some(({ text }, index) => {
    if (text === "has" || text === "have") return words[index + 1]?.text === "to";
    return text === "needs" || text === "need" || duties.has(text);
  });
}

const present: ReadonlySet<string> = new Set("is are do does".split(" "));
const past: ReadonlySet<string> = new Set("was were been had did".split(" "));
const adverbs: ReadonlySet<string> = new Set("always never".split(" "));

/** It has a verb of somebody or something: `is`, `failed`, `never stops`, `must have joined`. */
function tellsHowItIs(told: readonly Word[]): boolean {
  const words = withoutCondition(told);
  const first = words.find(({ text }) => !correcting.has(text))?.text ?? "";
  if (adverbs.has(first)) return false;
  return (
    tellsPast(words) ||
    words.some(({ text }, index) => {
      const before = words[index - 1]?.text ?? "";
      if (adverbs.has(before) && text.endsWith("s") && !text.endsWith("ss")) return true;
      return present.has(text);
    })
  );
}

function tellsPast(words: readonly Word[]): boolean {
  return words.some(({ text }, index) => {
    const next = words[index + 1]?.text ?? "";
    if (text === "has" || text === "have")
      return isPastTense(next) || (adverbs.has(next) && isPastTense(words[index + 2]?.text ?? ""));
    // Behind a form of `be` it tells how something is to be: `must be reviewed`.
    const before = words[index - 1]?.text ?? "";
    return (
      past.has(text) || (isPastTense(text) && before !== "be" && !determiners.has(before) && !universal.has(before))
    );
  });
}
