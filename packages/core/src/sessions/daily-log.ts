import type { CapturedEntry, Instant, LoggedSession } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";
import { dayBounds, type LocalTime, localTimes } from "../time/local-time.ts";
import { textOnOneLine } from "./text-on-one-line.ts";

/** A session as the log of one day shows it. */
interface Day {
  readonly session: LoggedSession;
  readonly first: Instant;
  readonly last: Instant;
  readonly turns: number;
  readonly captured: readonly CapturedEntry[];
}

/**
 * What was talked about on a day: a line for each session that had turns, by the first of them, and below it a line for
 * each memory that was made from it. Each ends with `\n`; texts of others never begin one. Empty for a day without turns.
 *
 * @param date `yyyy-mm-dd`, in the time zone
 * @param timeZone an IANA name. Default UTC
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function dailyLog(date: string, sessions: readonly LoggedSession[], timeZone = "UTC"): string {
  const localTime = localTimes(timeZone);
  const { start, end } = dayBounds(date, timeZone, localTime);
  // A log may be of many thousand turns: none of them needs its local time to say which day it was.
  const isThatDay = (at: Instant): boolean => at >= start && at < end;
  return sessions
    .map((session) => dayOf(session, isThatDay))
    .filter((day) => day !== undefined)
    .toSorted((left, right) => left.first - right.first || compareIds(left.session.id, right.session.id))
    .map((day) => linesOf(day, localTime))
    .join("");
}

/** Whether a text can be the log of a day: every line of it is one of those that {@link dailyLog} writes. */
export function isDailyLog(text: string): boolean {
  if (!text.endsWith("\n")) return false;
  const lines = text.slice(0, -1).split("\n");
  return isSessionLine(lines[0] ?? "") && lines.every((line) => isSessionLine(line) || line.startsWith("  - ["));
}

const turnsAtEnd = /: \d{1,6} turns?$/;

function isSessionLine(line: string): boolean {
  return /^- \d\d:\d\d/.test(line) && turnsAtEnd.test(line.slice(-"999999 turns: ".length));
}

function dayOf(session: LoggedSession, isThatDay: (at: Instant) => boolean): Day | undefined {
  let [first, last, turns] = [Infinity, -Infinity, 0];
  for (const at of session.turns) {
    if (!isThatDay(at)) continue;
    first = Math.min(first, at);
    last = Math.max(last, at);
    turns++;
  }
  if (turns === 0) return undefined;
  return { session, first, last, turns, captured: session.captured.filter(({ at }) => isThatDay(at)) };
}

function linesOf({ session, first, last, turns, captured }: Day, localTime: (at: Instant) => LocalTime): string {
  const [from, to] = [localTime(first).time, localTime(last).time];
  const title = textOnOneLine(session.title ?? "") || textOnOneLine(session.id);
  const head = `- ${from === to ? from : `${from}–${to}`} ${title}: ${turns} ${turns === 1 ? "turn" : "turns"}\n`;
  return head + captured.map(({ category, text }) => `  - [${category}] ${textOnOneLine(text)}\n`).join("");
}
