import type { CaptureReason } from "@loci/domain";
import { isPastTense } from "../../text/past-tense.ts";
import { stopWords } from "../../text/stop-words.ts";
import { refusalPatterns } from "./grammar/refusal-patterns.ts";
import type { StatementPattern } from "./grammar/statement-pattern.ts";
import { statementPatterns } from "./grammar/statement-patterns.ts";
import { insistences, revisions, slips, withdrawals } from "./grammar/taking-back.ts";
import { findPhrase, type Phrase, PhraseIndex, phraseOf } from "./phrases.ts";
import { tellsPlainHabit } from "./plain-habits.ts";
import { plainHabit, whatOneDoes } from "./unphrased-patterns.ts";
import { tellsWhatOneDoes } from "./what-one-does.ts";
import { wordGroups } from "./word-groups.ts";
import { isDateWord, isNameLike, isNumberWord, leadingWords, saysInYear } from "./word-kinds.ts";
import type { Word } from "./words.ts";

const statements = statementPatterns.map((pattern) => ({
  pattern,
  phrases: pattern.phrases.map(phraseOf),
  unless: (pattern.unless ?? []).map(phraseOf),
}));
const lasting = statements.filter(({ pattern }) => pattern.isLasting === true);
/** What somebody said who knows, whatever else it is. */
const reports = statements.filter(({ pattern }) => pattern.isReport === true);
const refusals = refusalPatterns.map((pattern) => ({ pattern, phrases: pattern.phrases.map(phraseOf) }));
const withdrawing = withdrawals.map(phraseOf);
const insisting = insistences.map(phraseOf);
const revising = revisions.map(phraseOf);
/** They are among these. */
const slipping = revising.filter((_, place) => slips.includes(revisions[place] ?? ""));
const ofClauses = new PhraseIndex(
  [...statements, ...refusals].flatMap((each) => [...each.phrases, ...("unless" in each ? each.unless : [])]),
);
const ofSentences = new PhraseIndex([...withdrawing, ...insisting, ...revising]);

/** What a clause says. */
export interface ReadClause {
  readonly statement: StatementPattern | undefined;
  readonly refusal: CaptureReason | undefined;
  readonly refusesSentence: boolean;
  /** Something in it says that it lasts, though it is told with words for the moment. */
  readonly lasts: boolean;
  /** It only orders something to be done once. */
  readonly isOrder: boolean;
}

/** Reads a clause by the grammar: what it states, and what speaks against remembering it. */
export function readClause(words: readonly Word[]): ReadClause {
  const possible = ofClauses.possibleIn(words);
  const has = (phrase: Phrase): boolean => possible.has(phrase) && findPhrase(phrase, words) !== undefined;
  const matches = ({ phrases, unless }: (typeof statements)[number]): boolean => phrases.some(has) && !unless.some(has);
  const isTold = tellsOfOneself(words) || isAmount(words);
  const statement = statements.find(
    (each) => (!isTold || each.pattern.kind !== "instinct" || each.pattern.isStanding === true) && matches(each),
  );
  const hasLastingWord = words.some(
    ({ text }, index) => wordGroups["lasting"]?.has(text) === true || saysInYear(words, index),
  );
  // When a rule holds may be a passing state: `never merge before the tests are green`.
  const ruled = statement?.pattern.kind === "instinct" ? withoutWhatYouDo(withoutCondition(words)) : words;
  const refusal = refusals.find(
    ({ pattern, phrases }) =>
      !(hasLastingWord && pattern.yieldsToLasting === true) &&
      !(pattern.reason === "QUOTED" && reports.some(matches)) &&
      phrases.some(
        (phrase) =>
          possible.has(phrase) && findPhrase(phrase, ofTheMoment.has(pattern.reason) ? ruled : words) !== undefined,
      ),
  );
  return {
    statement: statement?.pattern ?? doingOf(words),
    refusal: refusal?.pattern.reason,
    lasts: statement !== undefined && lasting.some(matches),
    refusesSentence: refusal?.pattern.isForSentence === true,
    isOrder: isOrder(words),
  };
}

function doingOf(words: readonly Word[]): StatementPattern | undefined {
  if (tellsPlainHabit(words)) return plainHabit;
  return tellsWhatOneDoes(words) ? whatOneDoes : undefined;
}

/** What is so for now, and small talk. */
const ofTheMoment: ReadonlySet<CaptureReason> = new Set(["TRANSIENT", "FILLER"]);
const possessives: ReadonlySet<string> = new Set("my our his her their".split(" "));
const adverbs: ReadonlySet<string> = new Set("also already just now recently finally actually really still".split(" "));
/** Participles that are like the present. */
const unchanging: ReadonlySet<string> = new Set("set put been come run read let hit".split(" "));

/**
 * `I've decided to use Netlify instead of Pages`, `My goal is to run it in under two hours`: somebody tells what was done or is wanted,
 * and rules nothing. `We have to` does.
 */
function tellsOfOneself(words: readonly Word[]): boolean {
  const said = words.filter(({ text }) => !adverbs.has(text));
  const start = said.findIndex(({ text }) => !leadIns.has(text) && !possessives.has(text));
  const [subject, verb = "", next = ""] = said.slice(start).map(({ text }) => text);
  if (verb === "can" && next === "not") return isSomebody(said[start], subject);
  if (aims.has(subject ?? "") && verb === "is") return said[start - 1]?.text === "my";
  if (subject !== "i" && subject !== "we") return false;
  if (verb === "have") return isPastTense(next) || unchanging.has(next);
  return isPastTense(verb) || (subject === "i" && states.has(verb) && !next.endsWith("ing"));
}

/** `I am their clerk, 30 hrs a week`, `I feel excited instead of anxious`: how somebody is. */
const states: ReadonlySet<string> = new Set("am feel think believe guess know understand hope get".split(" "));

const aims: ReadonlySet<string> = new Set("goal aim target dream".split(" "));

/** `I can't run because of my knee`, `Mum can't walk far`: no rule, unlike what `you` or a thing cannot. */
function isSomebody(word: Word | undefined, subject = ""): boolean {
  if (word === undefined || subject === "we" || subject === "you" || subject === "it") return false;
  return /^(?:i|he|she)$/.test(subject) || wordGroups["relation"]?.has(subject) === true || isNameLike(word, 1);
}

/** `Writing was the worst, only 5.5` */
function isAmount(words: readonly Word[]): boolean {
  const [first, second, third] = words.filter(({ text }) => !leadIns.has(text));
  return first?.text === "only" && second !== undefined && isNumberWord(second.text) && third === undefined;
}

const conditions: ReadonlySet<string> = new Set("before unless once while".split(" "));

/** `Never merge before the tests are green`, `always a draft until CI is green`: without when it holds. */
export function withoutCondition(words: readonly Word[]): readonly Word[] {
  const start = words.findIndex(
    ({ text }, index) =>
      index > 1 && (conditions.has(text) || (text === "until" && isStateBehind(words.slice(index + 1)))),
  );
  return start < 0 || words[start - 1]?.text === "for" ? words : words.slice(0, start);
}

/** `Until CI is green` each time, and not `until Friday`. */
function isStateBehind(words: readonly Word[]): boolean {
  return words.slice(1).some(({ text }) => wordGroups["be"]?.has(text) === true);
}

/** `Don't reformat files you're not changing`, `when you're done, say so`: without what the assistant does then, which is none of now. */
function withoutWhatYouDo(words: readonly Word[]): readonly Word[] {
  const start = words.findIndex(({ text }, index) => text === "you" && words[index + 1]?.text === "are");
  if (start < 0) return words;
  const length = words[start + 2]?.text === "not" ? 4 : 3;
  const rest = [...words.slice(0, start), ...words.slice(start + length)];
  // `When you are back, …` says nothing else.
  return contentOf(rest).words === 0 ? words : rest;
}

const leadIns: ReadonlySet<string> = new Set(
  "and but so also please then now ok okay yes yeah well oh no just or can could would you kindly".split(" "),
);

/** Whether a clause begins with a verb, as orders do. */
function isOrder(words: readonly Word[]): boolean {
  const at = words.findIndex(({ text }) => !leadIns.has(text));
  const [first, second] = words.slice(at);
  return (
    (wordGroups["verb"]?.has(first?.text ?? "") === true && !isSubject(words.slice(at))) || isDoneTo(first, second)
  );
}

/** `Quiz me on it`, `walk us through`: whatever the verb is. */
function isDoneTo(verb: Word | undefined, whom: Word | undefined): boolean {
  if (verb === undefined || (whom?.text !== "me" && whom?.text !== "us")) return false;
  return (
    verb.text !== "cost" && !stopWords.has(verb.text) && !/(?:s|ed|ing)$/u.test(verb.text) && !isPastTense(verb.text)
  );
}

/** `Merge to main deploys staging` tells what a merge does. */
function isSubject([, to, , verb]: readonly Word[]): boolean {
  return (
    to?.text === "to" && verb?.text.endsWith("s") === true && wordGroups["verb"]?.has(verb.text.slice(0, -1)) === true
  );
}

/** Whether a sentence takes back what was said before it. */
export function takesBack(words: readonly Word[]): boolean {
  const possible = ofSentences.possibleIn(words);
  const has = (phrase: (typeof withdrawing)[number]): boolean =>
    possible.has(phrase) && findPhrase(phrase, words) !== undefined;
  return withdrawing.some(has) && !insisting.some(has);
}

/** Whether a sentence says that something said before is different. */
export function revises(words: readonly Word[]): boolean {
  const possible = ofSentences.possibleIn(words);
  return revising.some((phrase) => possible.has(phrase) && findPhrase(phrase, words) !== undefined);
}

const ofSlips: ReadonlySet<string> = new Set("sorry wait oops correction".split(" "));

/** What a sentence says instead of what was said just before it: `No wait, I prefer coffee`. Empty: it corrects no slip. */
export function behindSlip(words: readonly Word[]): readonly Word[] {
  const possible = ofSentences.possibleIn(words);
  if (!slipping.some((phrase) => possible.has(phrase) && findPhrase(phrase, words) !== undefined)) return [];
  const said = words.filter(
    ({ text }, place) => place >= longestSlip || !(leadingWords.has(text) || ofSlips.has(text)),
  );
  return said[1]?.text === "meant" ? said.slice(said[2]?.text === "to" ? 4 : 2) : said;
}

/** In words. */
const longestSlip = 4;

/** How much a clause says: words that mean something by themselves; a number, date or name. */
export function contentOf(words: readonly Word[]): { readonly words: number; readonly isConcrete: boolean } {
  const content = words.filter(
    ({ text }) =>
      !isNumberWord(text) &&
      !stopWords.has(text) &&
      wordGroups["mood"]?.has(text) !== true &&
      wordGroups["common"]?.has(text) !== true,
  );
  const isConcrete = words.some(
    (word, index) =>
      isNumberWord(word.text) ||
      wordGroups["trait"]?.has(word.text) === true ||
      isDateWord(word.text) ||
      word.raw === "May" ||
      isNameLike(word, index),
  );
  return { words: content.length, isConcrete };
}
