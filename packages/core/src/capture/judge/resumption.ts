import { clausesOf, sentencesOf } from "../extract/sentences.ts";
import { type Word, wordsOf } from "../extract/words.ts";
import { changesIn, denying, leadsTo } from "./change-verbs.ts";
import { pairs } from "./changes.ts";

/** Who goes back to something has not ended it. */
const resuming: ReadonlySet<string> = new Set(
  "resumed restarted rejoined reopened reinstated revived resubscribed re-subscribed".split(" "),
);

/** Whether what is told to have ended goes on again behind it: `we cancelled it, but signed up again`. */
export function isTakenUpAgain(text: string): boolean {
  return resumption(clausesIn(text)) >= 0;
}

/** The last clause that takes up again what an earlier one ended, or -1. */
export function resumption(clauses: readonly (readonly Word[])[]): number {
  const ended = clauses.findIndex((clause) => changesIn(clause).length > 0);
  if (ended < 0) return -1;
  const named = new Set(clauses.slice(0, ended + 1).flatMap((clause) => clause.map(({ text }) => text)));
  return clauses.findLastIndex((clause, place) => place > ended && resumes(clause, named));
}

const unsure: ReadonlySet<string> = new Set("if would could might maybe perhaps".split(" "));

/** `I've been back since May`, `picked it up again`, `it's running after all`, `went back to Pomeroy`. */
function resumes(words: readonly Word[], named: ReadonlySet<string>): boolean {
  // `I might rejoin`, `if I could turn back time`: not yet.
  if (changesIn(words).length > 0 || words.some(({ text }) => denying.has(text) || unsure.has(text))) return false;
  const pointsBack = words.some(({ text }) => pointing.has(text) || (named.has(text) && text.length >= shortestNamed));
  return (
    words.some(({ text }) => resuming.has(text)) ||
    pairs(words, "after", "all") ||
    pairs(words, "started", "over") ||
    words.some(
      ({ text }, index) =>
        (text === "again" && pointsBack) ||
        (text === "back" && (pointsBack || leadsTo(words, index, own) || isTakenBack(words, index))),
    )
  );
}

/** `They took me back`, `hired me straight back` */
function isTakenBack(words: readonly Word[], index: number): boolean {
  const before = words
    .slice(Math.max(0, index - 2), index)
    .findLast(({ text }) => text !== "straight" && text !== "right");
  return before?.text === "me" || before?.text === "us";
}

const own: ReadonlySet<string> = new Set("i we it they".split(" "));
const pointing: ReadonlySet<string> = new Set("it them that up on there".split(" "));
/** In letters: what is shorter is hardly a name. */
const shortestNamed = 4;

/** The words of a text by its clauses. */
export function clausesIn(text: string): readonly (readonly Word[])[] {
  return sentencesOf(text)
    .flatMap((sentence) => clausesOf(sentence.text))
    .map((clause) => wordsOf(clause.text));
}
