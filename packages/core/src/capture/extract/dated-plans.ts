import type { Instant } from "@loci/domain";
import { clausesOf } from "./sentences.ts";
import { type ComingDay, comingDay } from "./coming-days.ts";
import { hasVerb } from "./finite-verbs.ts";
import { appointmentPattern, planPatterns } from "./grammar/plan-patterns.ts";
import { tellsHowItWent } from "./passed-days.ts";
import { findPhrase, type Phrase, phraseOf } from "./phrases.ts";
import { type Word, wordsOf } from "./words.ts";

/** What is planned, and for which day. */
export interface DatedPlan {
  readonly day: ComingDay;
  /** The clause that says so. */
  readonly clause: string;
  /** When it is over. `undefined`: it may hold behind its day, or comes again. */
  readonly until: Instant | undefined;
}

const planning = planPatterns.flatMap(({ phrases }) => phrases.map(phraseOf));
const meeting = appointmentPattern.phrases.map(phraseOf);

const hour = 3_600_000;
/** A day is over everywhere so long after it begins in UTC. */
const longestDay = 36 * hour;

/** `Sorry, I meant Thursday` says nothing else. In words. */
const longestRevision = 6;

/** What a plan is read from. */
export interface PlanStatement {
  readonly said: string;
  /** It says that something said before is different: `I meant Thursday`. */
  readonly revises: boolean;
}

/**
 * What a statement says is planned for a day to come. `undefined`: nothing is.
 *
 * @param at when it was said, milliseconds since 1970
 */
export function datedPlan({ said, revises }: PlanStatement, at: Instant): DatedPlan | undefined {
  if (comingDay(said, at) === undefined) return undefined;
  const clauses = clausesOf(said).map(({ text }) => ({ text, words: wordsOf(text) }));
  const place = clauses.findIndex(({ words }) => holdsAny(planning, words));
  const isRevision = place < 0 && revises && wordsOf(said).length <= longestRevision;
  const planned = isRevision ? said : clauses[place]?.text;
  if (planned === undefined || tellsHowItWent(planned)) return undefined;
  const day = comingDay(behindMove(planned + moreOfDay(clauses.slice(place + 1))), at);
  if (day === undefined) return undefined;
  // `The demo is on the 19th, they're our biggest lead`: what else it says holds on; of `make it Thursday` nobody knows what it is.
  const isOnlyMeeting =
    !isRevision &&
    clauses.every(({ words }, index) => holdsAny(meeting, words) || (index !== place && !hasVerb(words)));
  const isOnce = isOnlyMeeting && !comesAgain(wordsOf(said));
  const end = Date.parse(`${day.date}T00:00:00Z`) + longestDay;
  return end <= at ? undefined : { day, clause: planned, until: isOnce ? end : undefined };
}

/** In words. */
const longestDayNamed = 4;

/** `On Monday after I come back, the 1st`: what follows may name the day once more. */
function moreOfDay([next]: readonly { readonly text: string; readonly words: readonly Word[] }[]): string {
  // `On Friday, not Thursday`
  if (next === undefined || next.words[0]?.text === "not") return "";
  return next.words.length <= longestDayNamed && !hasVerb(next.words) ? `, ${next.text}` : "";
}

/** `Moved from the 12th to Friday` is on Friday. */
function behindMove(said: string): string {
  const move =
    /(?<!\p{L})(?:moved|pushed|postponed|rescheduled|shifted|delayed|brought)(?!\p{L}).{0,80}?(?<!\p{L})(?:to|until|till) /isu.exec(
      said,
    );
  return move === null ? said : said.slice(move.index + move[0].length);
}

function holdsAny(phrases: readonly Phrase[], words: readonly Word[]): boolean {
  return phrases.some((phrase) => findPhrase(phrase, words) !== undefined);
}

const again: ReadonlySet<string> = new Set(
  `every each always usually normally weekly now nowadays standing regular regularly
   club class classes course lesson lessons training practice rehearsal choir standup stand-up retro sync shift bins market`.split(
    /\s+/u,
  ),
);

const everyYear: ReadonlySet<string> = new Set(["birthday", "birthdays", "anniversary", "anniversaries"]);
const takesPlace: ReadonlySet<string> = new Set(["is", "are", "falls", "fall", "comes"]);

/** `Book club is on Thursday`, `stand-up is on Monday now`: nobody says for how long. `My birthday is on 3 May` is so each year. */
function comesAgain(words: readonly Word[]): boolean {
  return words.some(
    ({ text }, index) => again.has(text) || (everyYear.has(text) && takesPlace.has(words[index + 1]?.text ?? "")),
  );
}
