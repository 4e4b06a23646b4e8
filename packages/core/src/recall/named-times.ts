import type { Instant } from "@loci/domain";

/** A time that a question names. */
export interface TimeSpan {
  readonly start: Instant;
  /** Exclusive. */
  readonly end: Instant;
}

/** A time that a question names, and the words it does so with. */
export interface TimePhrase {
  readonly span: TimeSpan;
  readonly words: string;
  /** True where it is asked for what was so many days or weeks ago, which is as definite as a date. */
  readonly isCounted?: boolean;
}

const months = "january february march april may june july august september october november december".split(" ");
const monthName = `${months.join("|")}|${months.map((name) => name.slice(0, 3)).join("|")}|sept`;
const dayNumber = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
const year = String.raw`(\d{4})`;
const times = new RegExp(
  [
    String.raw`\b${year}-(\d{2})-(\d{2})\b`,
    String.raw`\b${dayNumber}(?: of)? (${monthName})\b\.?(?:,? ${year}\b)?`,
    String.raw`\b(?:(in|since|during|until|by|of|last|this|early|late|mid) )?(${monthName})\b\.?(?: ${dayNumber}\b(?!:))?(?:,? ${year}\b)?`,
  ].join("|"),
  "giu",
);

/** Longer questions are not searched for times: they are texts, and what they name is not what they ask for. */
export const longestTimeQuestion = 2_000;
const day = 86_400_000;
/** People speak of a thing for some days after it. */
const afterwards = 7 * day;

/**
 * The days and months that a question in English names, in UTC: `3 May 2023`, `May 3rd`, `in June`, `2023-05-03`. Without
 * a year the last such time that has begun is meant. A month's name alone counts when it cannot be another word: `may`
 * and `march` need a number or a word such as `in` with them, short forms a number.
 *
 * @param question at most 2,000 characters; a longer one names no time
 */
export function namedTimes(question: string, evaluationTime: Instant): readonly TimePhrase[] {
  if (question.length > longestTimeQuestion) return [];
  const found: TimePhrase[] = [];
  for (const match of question.matchAll(times)) {
    const [words, isoYear, isoMonth, isoDay, dayBefore, monthAfter, yearAfter, lead, month, dayAfter, lastYear] = match;
    const span =
      isoYear === undefined
        ? spanOf(
            monthOf(monthAfter ?? month, { isSure: (dayBefore ?? dayAfter ?? lastYear) !== undefined, lead }),
            numberOf(dayBefore ?? dayAfter),
            numberOf(yearAfter ?? lastYear),
            evaluationTime,
          )
        : spanOf(Number(isoMonth) - 1, Number(isoDay), Number(isoYear), evaluationTime);
    if (span !== undefined) found.push({ span, words });
  }
  return found;
}

/** How close an instant is to the nearest of the times: 1 within one, falling to 0 in the 7 days after it. */
export function closenessTo(times: readonly TimeSpan[], instant: Instant): number {
  let closest = 0;
  for (const { start, end } of times)
    if (instant >= start) closest = Math.max(closest, instant < end ? 1 : 1 - (instant - end) / afterwards);
  return closest;
}

/** Which month a word means, from 0, or `undefined` when it means something else. */
function monthOf(
  word: string | undefined,
  { isSure, lead }: { readonly isSure: boolean; readonly lead: string | undefined },
): number | undefined {
  const name = word?.toLowerCase() ?? "";
  const isAmbiguous = name === "may" || name === "march";
  if (!isSure && (isAmbiguous ? lead === undefined : name.length <= 4 && !months.includes(name))) return undefined;
  return months.findIndex((month) => month.startsWith(name.slice(0, 3)));
}

function spanOf(
  month: number | undefined,
  dayOfMonth: number | undefined,
  givenYear: number | undefined,
  evaluationTime: Instant,
): TimeSpan | undefined {
  if (month === undefined) return undefined;
  const inYear = (of: number): TimeSpan =>
    dayOfMonth === undefined
      ? { start: Date.UTC(of, month, 1), end: Date.UTC(of, month + 1, 1) }
      : { start: Date.UTC(of, month, dayOfMonth), end: Date.UTC(of, month, dayOfMonth) + day };
  if (givenYear !== undefined) return validSpan(inYear(givenYear), month);
  const thisYear = new Date(evaluationTime).getUTCFullYear();
  const span = inYear(thisYear);
  return validSpan(span.start <= evaluationTime ? span : inYear(thisYear - 1), month);
}

/** `undefined` for a day that the month does not have, such as 31 April. */
function validSpan(span: TimeSpan, month: number): TimeSpan | undefined {
  return new Date(span.start).getUTCMonth() === month ? span : undefined;
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
