import type { Instant } from "@loci/domain";
import { relativeDates } from "./relative-dates.ts";

const day = 86_400_000;
const months = "january february march april may june july august september october november december".split(" ");
const monthName = `(?<month>${months.join("|")})`;

/** What says that a day is the one from which on something holds, and the day behind it. */
const begins = new RegExp(
  `\\b(?:since|from|as of|as from|starting|beginning|effective|until last)(?: on| in| the)? (?:(?<iso>\\d{4}-\\d{2}-\\d{2})|(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${monthName}(?:,? (?<year>\\d{4}))?|(?:early |late |mid-)?${monthName.replace("month", "onlyMonth")}(?: (?<dayAfter>\\d{1,2})(?:st|nd|rd|th)?(?!\\d))?(?:,? (?<yearAfter>\\d{4}))?|(?<onlyYear>(?:19|20)\\d{2})(?![\\d:.-]))`,
  "iu",
);
const beginsRelative =
  /\b(?:since|from|as of|starting|moved|left|joined|started|switched|changed|became|bought|sold)\b/iu;

/** `The tax office put us on monthly starting January`: it has begun. */
const toldPast =
  /\b(?:put|was|were|been|went|got|took|made|gave|has|have|had|\p{L}{2,}ed)\b(?!.*\b(?:will|going to|plan)\b)/isu;

/** `Moved from June to September`: not since June, that is what it was before. */
const movedAway =
  /\b(?:moved|moving|changed|pushed|pushing|postponed|rescheduled|shifted|delayed|brought|put)\b[^,;:.!?]{0,30} $/iu;
const movedTo = /^ (?:to|until) /iu;

/** So much of what stands before a date is looked at, in UTF-16 units. */
const longestLead = 40;

/** So much of a sentence is looked at, in UTF-16 units. */
const longestRead = 600;

/**
 * From when on a sentence says that it holds: `since March`, `from 1 June`, `I moved last Friday`. A month or day without a year is
 * the last one before the turn, and the next one behind `from`, `as of` and the like. In UTC. `undefined`: it does not say.
 *
 * @param at when it was said, milliseconds since 1970
 */
export function statedStart(sentence: string, at: Instant): Instant | undefined {
  const text = sentence.slice(0, longestRead);
  const found = begins.exec(text);
  if (found !== null && tellsFormerDate(text, found)) return undefined;
  if (found?.groups !== undefined) return startOf(found[0], found.groups, { at, isTold: toldPast.test(text) });
  if (!beginsRelative.test(text)) return undefined;
  const [relative] = relativeDates(text, at);
  return relative === undefined ? undefined : Date.parse(`${relative.date}T00:00:00Z`);
}

/** A date that something was moved away from is none from which on it holds. */
function tellsFormerDate(text: string, { 0: { length }, index }: RegExpExecArray): boolean {
  return (
    movedAway.test(text.slice(Math.max(0, index - longestLead), index)) && movedTo.test(text.slice(index + length))
  );
}

function startOf(
  found: string,
  groups: Readonly<Record<string, string | undefined>>,
  { at, isTold }: { readonly at: Instant; readonly isTold: boolean },
): Instant | undefined {
  const { iso, onlyYear } = groups;
  if (iso !== undefined) return validTime(Date.parse(`${iso}T00:00:00Z`));
  if (onlyYear !== undefined) return Date.UTC(Number(onlyYear), 0, 1);
  const month = months.indexOf((groups["month"] ?? groups["onlyMonth"] ?? "").toLowerCase());
  const dayOfMonth = Number(groups["day"] ?? groups["dayAfter"] ?? 1);
  if (dayOfMonth < 1 || dayOfMonth > 31) return undefined;
  const year = groups["year"] ?? groups["yearAfter"];
  if (year !== undefined) return Date.UTC(Number(year), month, dayOfMonth);
  const thisYear = new Date(at).getUTCFullYear();
  const isPast = /^since/iu.test(found);
  const inThisYear = Date.UTC(thisYear, month, dayOfMonth);
  if (isPast) return inThisYear <= at ? inThisYear : Date.UTC(thisYear - 1, month, dayOfMonth);
  // What began some weeks ago is told with `from`, too, and longer ago in the past tense.
  const longestAgo = isTold ? 300 * day : 62 * day;
  return inThisYear >= at - longestAgo ? inThisYear : Date.UTC(thisYear + 1, month, dayOfMonth);
}

function validTime(time: number): Instant | undefined {
  return Number.isNaN(time) ? undefined : time;
}
