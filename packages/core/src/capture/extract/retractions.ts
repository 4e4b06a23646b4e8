import type { CaptureReason } from "@loci/domain";
import { behindSlip, contentOf } from "./read-clause.ts";
import { callsUntrue, tellsBelief, tellsReport } from "./hearsay.ts";
import type { Statement } from "./read-sentence.ts";
import type { TurnStatement } from "./turn-statement.ts";
import { isDateWord, isNumberWord, leadingWords } from "./word-kinds.ts";
import type { Word } from "./words.ts";

/** Of one thing the last statement counts: what a later one takes back or gives another number, date or name is retracted. */
export function withoutRetracted(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  const retracted = new Set<TurnStatement>();
  const withheld = new Set<TurnStatement>();
  for (const [index, later] of statements.entries()) {
    if (later.takesBack) {
      for (const each of [...lastSaid(statements, index), later]) {
        retracted.add(each);
        withheld.add(each);
      }
    } else if (callsReportUntrue(later, statements[index - 1])) {
      retracted.add(statements[index - 1] as TurnStatement);
    } else if (later.revises) {
      // What was told before that is settled.
      const lastTold = statements.slice(0, index).findLast(({ turn }) => turn !== later.turn)?.turn;
      const earlier = statements
        .slice(Math.max(0, index - 6), index)
        // Behind a question it is the question's number that is another one.
        .filter((each) => each.turn === later.turn || (each.turn === lastTold && !later.isReply))
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

/** Statements without those that were taken back, and what takes them back: they explain nothing. */
export function withoutTakenBack(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  if (!statements.some(({ takesBack }) => takesBack)) return statements;
  const back = statements.flatMap((each, place) => (each.takesBack ? [each, ...lastSaid(statements, place)] : []));
  return statements.filter((each) => !back.includes(each));
}

/** What a statement takes back that was said just before it; of any other, nothing. */
export function takenBackBy(statements: readonly TurnStatement[], place: number): readonly TurnStatement[] {
  return statements[place]?.takesBack === true ? lastSaid(statements, place) : [];
}

/**
 * All that the sentence before a place states: `I won the lottery and we're moving to Monaco!` states two things. What says nothing is
 * passed over: `the other office is nicer. dunno. forget it`.
 */
function lastSaid(statements: readonly TurnStatement[], place: number): readonly TurnStatement[] {
  let first = place - 1;
  while (
    first > 0 &&
    statements[first - 1]?.turn === statements[first]?.turn &&
    (goesOnBehind(statements[first - 1]) || saysNothing(statements[first] as TurnStatement))
  )
    first--;
  return statements.slice(Math.max(0, first), place);
}

function saysNothing({ pattern, words }: TurnStatement): boolean {
  const { words: content, isConcrete } = contentOf(words);
  return pattern === undefined && content < 2 && !isConcrete;
}

function goesOnBehind(statement: TurnStatement | undefined): boolean {
  return statement !== undefined && !/[.!?]["')\]]{0,3}$/.test(statement.sentence.text.slice(-4));
}

/** `A site claims that it was renamed. Not true.` */
function callsReportUntrue(later: TurnStatement, before: TurnStatement | undefined): boolean {
  return (
    before?.turn === later.turn && callsUntrue(later.words) && (tellsBelief(before.words) || tellsReport(before.words))
  );
}

export function isRevisedBy(earlier: Statement, later: Statement): boolean {
  const kinds = (words: readonly Word[]): readonly boolean[] => [
    words.some(({ text }) => isNumberWord(text)),
    words.some(({ text }) => isDateWord(text)),
  ];
  const given = givenUp(later.words);
  if (given.length > 0 && !given.some((text) => earlier.words.some((word) => isOfDay(word.text, text)))) return false;
  const [hadNumber, hadDate] = kinds(earlier.words);
  const [hasNumber, hasDate] = kinds(later.words);
  return (
    (hadNumber === true && hasNumber === true) ||
    (hadDate === true && hasDate === true) ||
    saysInsteadOf(earlier, later)
  );
}

/** The days and numbers that something is instead of: `Sunday instead of Saturday` says nothing of what was told of Friday. */
function givenUp(words: readonly Word[]): readonly string[] {
  const place = words.findIndex(({ text }, index) => text === "of" && words[index - 1]?.text === "instead");
  if (place < 0) return [];
  return words
    .slice(place + 1, place + 1 + longestGivenUp)
    .flatMap(({ text }) => (isNumberWord(text) || isDateWord(text) ? text : []));
}

/** In words. */
const longestGivenUp = 3;

/** `Fridays` are of `Friday`. */
function isOfDay(told: string, day: string): boolean {
  return told === day || told === `${day}s` || `${told}s` === day;
}

/** `I prefer tea over coffee. No wait, I prefer coffee`: both begin with who does what, or with whose what it is. */
function saysInsteadOf({ words: earlier }: Statement, { words: later }: Statement): boolean {
  const told = earlier.slice(earlier.findIndex(({ text }) => !leadingWords.has(text)));
  const beginning = told.slice(0, told[0]?.text === "my" || told[0]?.text === "our" ? 3 : 2);
  const instead = behindSlip(later);
  return (
    instead.length > beginning.length &&
    beginning.every(({ text }, place) => text === instead[place]?.text) &&
    !instead.some(({ text }) => adding.has(text))
  );
}

/** `No wait, I prefer coffee too`. */
const adding: ReadonlySet<string> = new Set("too also either well both".split(" "));
