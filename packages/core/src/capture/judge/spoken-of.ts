import { claimOf } from "../../recall/claim-words.ts";
import type { Facets } from "./facets.ts";
import { areApart } from "./set-relations.ts";
import { isOfAnything } from "./shared-topics.ts";
import { topicsOf } from "./topics.ts";

/** A statement that is judged. */
export interface JudgedStatement {
  /** In the third person, with its context. */
  readonly text: string;
  /** What was said, without the context. */
  readonly said: string;
  /** What was said just before it and in the same turn: tells what a short statement is about. */
  readonly around: string;
  /** What leads up to it: the assistant's turn before, and its own turn as far as it was said earlier. */
  readonly before: string;
  /** Its own turn as far as it was said earlier. */
  readonly ahead: string;
  /** What explains it, if it does not explain itself. */
  readonly context?: string | undefined;
  /** Its turn from its sentence on, where what was ended may be taken up again. */
  readonly rest: string;
  readonly slot: string | null;
  readonly value: string | null;
}

/**
 * What a statement may be about: what leads up to it. One that points elsewhere, `I don't take it any more`, looks farther for that than
 * `Rafael left, so I am the only one`; what its own turn has spoken of already is what it points to.
 */
export function placeOf({ said, text, around, before, ahead, rest, context }: JudgedStatement): {
  readonly spokenOf: string;
  /** The same, and what was said some turns before. */
  readonly earlier: string;
} {
  const leadingUp = `${before} ${text}`;
  if (topicsOf(ahead).size > 0) return { spokenOf: context === undefined ? leadingUp : text, earlier: leadingUp };
  return {
    spokenOf: pointsElsewhere(said) ? `${around} ${text}` : leadingUp,
    // What is said later in the turn tells nothing of what it is about.
    earlier: `${withoutEnd(around, rest)} ${text}`,
  };
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, text.length - end.length) : text;
}

const pointing: ReadonlySet<string> = new Set("it they them that this those these one ones there".split(" "));
const periods: ReadonlySet<string> = new Set("week month year quarter sprint season semester term summer".split(" "));

/** Whether a statement points to something that was said before it; `this sprint` points to no more than a time. */
export function pointsElsewhere(said: string): boolean {
  const { words } = claimOf(said);
  return words.some(({ word }, index) => pointing.has(word) && !periods.has(words[index + 1]?.word ?? ""));
}

/** Named by the way, besides what is said of anything: `they start on the 23rd` is not meant where somebody else starts. */
const byTheWay: ReadonlySet<string> = topicsOf("start begin go move check next minute hour day week month year");

/** Whether what was said around names most of what a memory says, and not only whom it is about or another such number. */
export function mentions(around: Facets, { topics, namedTopics, subjects }: Facets): boolean {
  const named = [...topics].filter((topic) => around.topics.has(topic));
  return (
    2 * named.length >= topics.size &&
    (named.length > 1 ||
      named.some((topic) => !namedTopics.has(topic) && !byTheWay.has(topic) && !isOfAnything(topic))) &&
    !areApart(subjects, around.subjects)
  );
}
