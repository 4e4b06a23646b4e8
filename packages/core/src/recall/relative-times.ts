import type { Instant } from "@loci/domain";
import { numberNames } from "../text/number-names.ts";
import { weekdayNames } from "../text/weekday-names.ts";
import { longestTimeQuestion, type TimePhrase, type TimeSpan } from "./named-times.ts";

const day = 86_400_000;

/** What people count with besides numbers, and what it is taken for. */
const loosely: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 1, an: 1, "a couple of": 2, "a few": 3, several: 3 }),
);
const count = String.raw`(\d{1,3}|${[...loosely.keys(), ...numberNames.slice(1)].join("|")})`;
const unit = "(day|week|month|year)s?";
const weekday = `(${weekdayNames.join("|")})`;
/** `On the Sunday of last week`, and `two weeks ago, on a Sunday`. */
const weekdayBefore = String.raw`(?:(?:on )?(?:the |an? )?${weekday},? (?:of |in )?)?`;
const weekdayAfter = String.raw`(?:,? (?:on )?(?:the |an? |that )?${weekday}\b)?`;

/**
 * `two weeks ago`, `in the last 3 days`, `last month`, `last Friday`, `the Friday before last`, `yesterday`; and what may lie ahead as well: `today`,
 * `this week`, `on Friday`.
 */
const phrases = new RegExp(
  [
    String.raw`\b${weekdayBefore}${count} ${unit} (?:ago|back|earlier)\b${weekdayAfter}`,
    String.raw`\b(?:last|past|previous) ${count} ${unit}\b`,
    String.raw`\b${weekdayBefore}(last|past|previous|this) (day|night|week|weekend|month|year|morning|afternoon|evening)\b${weekdayAfter}`,
    String.raw`\blast ${weekday}\b`,
    String.raw`\b(?:on )?(?:the )?${weekday} before last\b`,
    String.raw`\b(the day before yesterday|yesterday|today|tonight)\b`,
    String.raw`\b(?:in|during|of) ((?:19|20)\d\d)\b(?!-)`,
    String.raw`\bon (?:the )?${weekday}\b`,
  ].join("|"),
  "giu",
);

/** A question for what was, and not for what will be or shall be done. */
const asksForPast = /\b(?:did|was|were|had|have|has|happened)\b/iu;
const mayLieAhead: ReadonlySet<string> = new Set(["this", "today", "tonight"]);

/**
 * The times that a question in English names as seen from now, in UTC: `yesterday`, `last week`, `two months ago`, `in the past 3
 * days`, `last Friday`, `in 2024`. Weeks begin on Monday; `three weeks ago` is the week around that day, months and years are
 * those of the calendar. A day of the week is that of the week named with it: `two weeks ago on Sunday`. Times that have not ended, `today` or
 * `this month`, count only where it is asked for what was: `What did I do today?`, and not `What shall I wear today?`. So does `on Friday`, which
 * is the last one then.
 *
 * @param question at most 2,000 characters; a longer one names no time
 */
export function relativeTimes(question: string, now: Instant): readonly TimePhrase[] {
  if (question.length > longestTimeQuestion) return [];
  const found: TimePhrase[] = [];
  for (const match of question.matchAll(phrases)) {
    const [words, beforeAgo, agoCount, agoUnit, afterAgo, pastCount, pastUnit, ...others] = match.map((part) =>
      part?.toLowerCase(),
    ) as [string, ...(string | undefined)[]];
    const [beforePeriod, which, period, afterPeriod, lastDay, dayBeforeLast, namedDay, year, onDay] = others;
    const liesBack = onDay === undefined && !mayLieAhead.has(which ?? namedDay ?? "");
    if (!liesBack && !asksForPast.test(question)) continue;
    const span =
      spanAgo(agoCount, agoUnit, now) ??
      lastUnits(pastCount, pastUnit, now) ??
      periodOf(which, period, now) ??
      lastWeekday(lastDay ?? onDay, now) ??
      lastWeekday(dayBeforeLast, now - 7 * day) ??
      dayNamed(namedDay, now) ??
      yearNamed(year);
    if (span === undefined) continue;
    const isCounted = (agoUnit === "day" || agoUnit === "week") && asksForPast.test(question);
    found.push({ span: weekdayIn(span, beforeAgo ?? afterAgo ?? beforePeriod ?? afterPeriod), words, isCounted });
  }
  return found;
}

function spanAgo(counted: string | undefined, unitName: string | undefined, now: Instant): TimeSpan | undefined {
  if (counted === undefined) return undefined;
  const units = numberOf(counted);
  if (unitName === "day") return dayBefore(now, units);
  if (unitName === "week")
    return { start: startOfDay(now) - (7 * units + 3) * day, end: startOfDay(now) - (7 * units - 4) * day };
  return unitName === "month" ? monthBefore(now, units) : yearBefore(now, units);
}

/** Until now. */
function lastUnits(counted: string | undefined, unitName: string | undefined, now: Instant): TimeSpan | undefined {
  if (counted === undefined) return undefined;
  const days = { day: 1, week: 7, month: 30, year: 365 }[unitName ?? ""] ?? 1;
  return { start: startOfDay(now) - numberOf(counted) * days * day, end: startOfDay(now) + day };
}

function periodOf(which: string | undefined, period: string | undefined, now: Instant): TimeSpan | undefined {
  if (which === undefined) return undefined;
  const back = which === "this" ? 0 : 1;
  switch (period) {
    case "week":
      return weekBefore(now, back);
    case "weekend": {
      const { start, end } = weekBefore(now, back);
      return { start: start + 5 * day, end };
    }
    case "month":
      return monthBefore(now, back);
    case "year":
      return yearBefore(now, back);
    default:
      return dayBefore(now, back);
  }
}

function lastWeekday(name: string | undefined, now: Instant): TimeSpan | undefined {
  if (name === undefined) return undefined;
  const passed = (new Date(now).getUTCDay() - weekdayNames.indexOf(name) + 7) % 7;
  return dayBefore(now, passed === 0 ? 7 : passed);
}

/** The day of the week within a week or less; a longer time, or one without that day, stays as it is. */
function weekdayIn(span: TimeSpan, name: string | undefined): TimeSpan {
  if (name === undefined || span.end - span.start > 7 * day) return span;
  const until = (weekdayNames.indexOf(name) - new Date(span.start).getUTCDay() + 7) % 7;
  const start = span.start + until * day;
  return start < span.end ? { start, end: start + day } : span;
}

function dayNamed(name: string | undefined, now: Instant): TimeSpan | undefined {
  if (name === undefined) return undefined;
  return dayBefore(now, name === "yesterday" ? 1 : name === "the day before yesterday" ? 2 : 0);
}

function yearNamed(year: string | undefined): TimeSpan | undefined {
  return year === undefined ? undefined : yearSpan(Number(year));
}

function dayBefore(now: Instant, days: number): TimeSpan {
  const start = startOfDay(now) - days * day;
  return { start, end: start + day };
}

function weekBefore(now: Instant, weeks: number): TimeSpan {
  const sinceMonday = (new Date(now).getUTCDay() + 6) % 7;
  const start = startOfDay(now) - (sinceMonday + 7 * weeks) * day;
  return { start, end: start + 7 * day };
}

function monthBefore(now: Instant, months: number): TimeSpan {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months];
  return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
}

function yearBefore(now: Instant, years: number): TimeSpan {
  return yearSpan(new Date(now).getUTCFullYear() - years);
}

function yearSpan(year: number): TimeSpan {
  return { start: Date.UTC(year, 0, 1), end: Date.UTC(year + 1, 0, 1) };
}

function startOfDay(instant: Instant): Instant {
  return Math.floor(instant / day) * day;
}

function numberOf(counted: string): number {
  if (/^\d/u.test(counted)) return Number(counted);
  return loosely.get(counted) ?? numberNames.indexOf(counted);
}
