import { arranging } from "./passed-days.ts";
import { isPastTense } from "../../text/past-tense.ts";
import { numberNames } from "../../text/number-names.ts";
import { weekdayNames } from "../../text/weekday-names.ts";

const day = 86_400_000;

/** A time named from the turn's own, such as `last Friday`, and the day it means. */
export interface RelativeDate {
  readonly text: string;
  /** As `2026-03-25`. */
  readonly date: string;
  /** As exactly as it is said: `2026-03` for `last month`, `2026` for `in two years`. */
  readonly shown: string;
}

const relative =
  /\b(?:today|tonight|yesterday|tomorrow|(?:last|next|this|on) (?:sun|mon|tues|wednes|thurs|fri|satur)day(?! (?:of|in) (?:the|each|every|a)\b)(?!,? (?:the )?(?:\d{1,2}(?:st|nd|rd|th)|(?:\d{1,2} )?(?:jan|febr)uary|(?:\d{1,2} )?(?:march|april|may|june|july|august)|(?:\d{1,2} )?(?:septem|octo|novem|decem)ber)\b)|(?:in )?(\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s? (?:ago|from now(?! on\b))|in (\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten) (day|week|month|year)s?|(?:last|next) (?:week|month|year)(?! of\b))\b/giu;
const past =
  /\b(?:moved|left|was|were|did|went|changed|switched|started|since|joined|passed|died|retired|bought|sold|had|got|decided)\b/iu;
/** `We migrated on Monday`, but not `the release is planned on Monday`. */
const doneBySomebody =
  /(?<!\p{L})(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|\p{Lu}\p{Ll}{1,30}) (?:(?:just|finally|also|already) )?(\p{L}{3,20})(?!\p{L})/gu;

/** `Shipped the rewrite on Thursday` */
const begun = /^(?:(?:and|so|just|finally) ){0,2}(\p{L}{3,20}) /iu;
/** What is arranged is of a day to come: `booked a table on Friday`. */
function beginsInPast(sentence: string): boolean {
  const verb = begun.exec(sentence)?.[1]?.toLowerCase() ?? "";
  return isPastTense(verb) && !arranging.has(verb);
}

function tellsPast(sentence: string): boolean {
  return (
    past.test(sentence) ||
    beginsInPast(sentence) ||
    Array.from(sentence.matchAll(doneBySomebody), ([, verb = ""]) => verb.toLowerCase()).some(isPastTense)
  );
}

/**
 * The days that a sentence names from the time at which it is said, in UTC. `on Friday` is the next one, and the last one in a
 * sentence about the past; one whose date is named beside it is none. Months and years count from the same day of the month.
 *
 * @param at milliseconds since 1970
 */
export function relativeDates(sentence: string, at: number): readonly RelativeDate[] {
  const isPast = tellsPast(sentence);
  return Array.from(sentence.matchAll(relative), (match) => {
    const text = match[0];
    const time = timeOf(text.toLowerCase(), match[1] ?? match[3], match[2] ?? match[4], at, isPast);
    const date = new Date(time).toISOString().slice(0, 10);
    return { text, date, shown: date.slice(0, /year/iu.test(text) ? 4 : /month/iu.test(text) ? 7 : 10) };
  });
}

function timeOf(
  text: string,
  count: string | undefined,
  unit: string | undefined,
  at: number,
  isPast: boolean,
): number {
  if (text === "yesterday") return at - day;
  if (text === "tomorrow") return at + day;
  if (text === "today" || text === "tonight") return at;
  if (count !== undefined && unit !== undefined) {
    const wanted = numberNames.includes(count) ? numberNames.indexOf(count) : Number(count);
    return shifted(at, text.endsWith("ago") ? -wanted : wanted, unit);
  }
  const [lead = "", name = ""] = text.split(" ");
  const weekday = weekdayNames.indexOf(name);
  if (weekday < 0) return shifted(at, lead === "last" ? -1 : 1, name);
  const isBefore = lead === "last" || (lead === "on" && isPast);
  const ahead = (weekday - new Date(at).getUTCDay() + 7) % 7;
  if (isBefore) return at - ((7 - ahead) % 7 || 7) * day;
  return at + (lead === "next" && ahead === 0 ? 7 : ahead) * day;
}

function shifted(at: number, count: number, unit: string): number {
  if (unit === "day") return at + count * day;
  if (unit === "week") return at + 7 * count * day;
  const date = new Date(at);
  const months = unit === "month" ? count : 12 * count;
  const wanted = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth() + 1, 0)).getUTCDate();
  return Date.UTC(wanted.getUTCFullYear(), wanted.getUTCMonth(), Math.min(date.getUTCDate(), last));
}
