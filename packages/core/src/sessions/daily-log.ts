import { type CapturedEntry, type Instant, LociError, type LoggedSession, shownText } from "@loci/domain";
import { compareIds } from "../scoring/compare-ids.ts";
import { textOnOneLine } from "./text-on-one-line.ts";

const dayLength = 86_400_000;
/** No time zone is further from UTC, in milliseconds. */
export const furthestZone: number = 15 * 3_600_000;

/** When it was in a time zone. */
interface LocalTime {
  /** `yyyy-mm-dd`. */
  readonly date: string;
  /** `hh:mm`. */
  readonly time: string;
}

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
  const { start, end } = boundsOf(date, timeZone, localTime);
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

/** When a day begins and ends. Not every day of a time zone has 24 hours. */
function boundsOf(
  date: string,
  timeZone: string,
  localTime: (at: Instant) => LocalTime,
): { readonly start: Instant; readonly end: Instant } {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight)) return { start: Infinity, end: Infinity };
  if (timeZone === "UTC") return { start: midnight, end: midnight + dayLength };
  const isThen = (at: Instant): boolean => localTime(at).date >= date;
  const isAfter = (at: Instant): boolean => localTime(at).date > date;
  return {
    start: firstInstant(isThen, midnight - furthestZone, midnight + furthestZone),
    end: firstInstant(isAfter, midnight, midnight + dayLength + furthestZone),
  };
}

/** The first instant between two for which something holds that holds from then on. */
function firstInstant(holds: (at: Instant) => boolean, before: Instant, behind: Instant): Instant {
  let [least, most] = [before, behind];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (holds(middle)) most = middle;
    else least = middle + 1;
  }
  return least;
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

function localTimes(timeZone: string): (at: Instant) => LocalTime {
  if (timeZone === "UTC")
    return (at) => {
      const text = new Date(at).toISOString();
      const day = text.indexOf("T");
      return { date: text.slice(0, day), time: text.slice(day + 1, day + 6) };
    };
  const format = formatOf(timeZone);
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
    return { date: `${part("year")}-${part("month")}-${part("day")}`, time: `${part("hour")}:${part("minute")}` };
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  } catch (cause) {
    throw new LociError("INVALID_REQUEST", {
      message: `${shownText(timeZone)} is no time zone.`,
      field: "timeZone",
      advice: "Use an IANA name such as Europe/Berlin, or UTC.",
      cause,
    });
  }
}
