import type { CapturedTurn } from "@loci/domain";
import type { CaptureInput } from "./capture-input.ts";
import type { ComingDay } from "./extract/coming-days.ts";
import type { Company } from "./extract/company.ts";
import { relativeDates } from "./extract/relative-dates.ts";
import { isSpoken } from "./extract/spoken-turns.ts";
import { comesEachWeek } from "./extract/weekly-events.ts";
import type { Word } from "./extract/words.ts";

/** Names of tools that turns call or report of, the first four. */
export function toolsOf(turns: readonly CapturedTurn[]): readonly string[] {
  return [...new Set(turns.flatMap(({ tools = [] }) => tools))].slice(0, 4);
}

/** So many turns before tell what a statement is about, and so many units of each. */
const turnsAround = 3;
const unitsAround = 200;

/** The whole turn and those of the user and the assistant just before it. */
export function aroundTurn(turn: CapturedTurn, turns: readonly CapturedTurn[]): string {
  const before = turns.slice(0, turns.indexOf(turn)).filter(isSpoken).slice(-turnsAround);
  return [...before, turn].map(({ content }) => content.slice(-unitsAround)).join(" ");
}

/** What leads up to a place of a turn: the end of what the assistant said just before, and the turn up to there. */
export function leadUpTo(turn: CapturedTurn, start: number, turns: readonly CapturedTurn[]): string {
  const before = turns.slice(0, turns.indexOf(turn)).findLast(isSpoken);
  const answered = before?.role === "assistant" ? before.content.slice(-unitsAround) : "";
  return `${answered} ${aheadOf(turn, start)}`;
}

/** A turn up to a place, the end of it. */
export function aheadOf(turn: CapturedTurn, start: number): string {
  return turn.content.slice(Math.max(0, start - unitsAround), start);
}

const unitsOfRest = 400;

/** A turn from a place on. */
export function restOf(turn: CapturedTurn, start: number): string {
  return turn.content.slice(start, start + unitsOfRest);
}

/** Words for how the assistant speaks with this user, when nobody else is spoken to: `answer in German`. */
const conversing: ReadonlySet<string> = new Set("answer reply respond talk speak explain address".split(" "));
const mannerWords: ReadonlySet<string> = new Set(
  "in with briefly shortly shorter slower only always to more".split(" "),
);

/** What is said of oneself, and of how to be spoken to, is the user's; the rest the project's, where there is one. */
export function scopeOfWords(
  words: readonly Word[],
  isInstinct: boolean,
  {
    scope,
    projectScope,
    company = "team",
  }: Pick<CaptureInput, "scope" | "projectScope"> & { readonly company?: Company },
): string {
  const isManner =
    isInstinct &&
    words.some(({ text }, index) => {
      const next = words[index + 1]?.text;
      return conversing.has(text) && (next === undefined || mannerWords.has(next) || next === "me");
    });
  if (isManner) return scope;
  const isOwn = words.some(({ text }) => text === "i" || text === "my" || text === "me" || text === "mine");
  const isOurs = words.some(({ text }) => text === "we" || text === "our" || text === "us");
  if (isOurs && company === "family") return scope;
  return projectScope === undefined || (isOwn && !isOurs) ? scope : projectScope;
}

/** Of a rule it is each of them: `never deploy on Friday`. */
const onWeekday = /^on /iu;
const aWeekday = /^(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day$/iu;

/**
 * With the day behind a time that is only named from the day of the turn.
 *
 * @param planned the day that it is planned for
 */
export function withDates(
  text: string,
  said: string,
  { at, planned, isRule }: { readonly at: number; readonly planned?: ComingDay | undefined; readonly isRule: boolean },
): string {
  if (planned?.isPlain === true) return text;
  const isEach = comesEachWeek(said);
  const first = relativeDates(said, at).find(
    ({ text: day, date }) => !onWeekday.test(day) || !(isEach || (isRule && Date.parse(date) > at)),
  );
  if (isEach && planned !== undefined && aWeekday.test(planned.text)) return text;
  const [named, shown] = planned === undefined ? [first?.text, first?.shown] : [planned.text, planned.date];
  if (named === undefined || shown === undefined || text.includes(shown)) return text;
  // What was said first in a sentence has a capital now: `What's the deadline: Next Friday`.
  const form = text.includes(named) ? named : named.charAt(0).toUpperCase() + named.slice(1);
  const place = text.indexOf(form);
  if (place < 0) return text;
  // `Today's review`: behind what belongs to the day.
  const end = place + form.length;
  const behind = end + (/^['\u2019]s/u.test(text.slice(end, end + 2)) ? 2 : 0);
  return `${text.slice(0, behind)} (${shown})${text.slice(behind)}`;
}
