import { weekdayNames } from "../../text/weekday-names.ts";

const day = 86_400_000;
const months = "january february march april may june july august september october november december".split(" ");

/** A day that lies ahead of what names it. */
export interface ComingDay {
  /** As it is named: `tomorrow`, `the 12th`. */
  readonly text: string;
  /** As `2026-03-25`. */
  readonly date: string;
  /** Whether who reads it later knows the day from its name. */
  readonly isPlain: boolean;
}

/** How a day is named, those first that name it most exactly: `on Monday after I come back, the 1st`. */
const namings: readonly {
  readonly find: RegExp;
  readonly isPlain?: boolean;
  readonly dayOf: (groups: Readonly<Record<string, string | undefined>>, at: number) => number | undefined;
}[] = [
  {
    find: /(?<![\p{L}\d-])(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?![\d-])/gu,
    isPlain: true,
    dayOf: ({ year, month, day: dayOfMonth }) => dateOf(Number(year), Number(month) - 1, Number(dayOfMonth)),
  },
  {
    find: new RegExp(
      String.raw`(?<![\p{L}\d])(?:(?<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${months.join("|")})|(?<monthBefore>${months.join("|")}) (?<dayBehind>\d{1,2})(?:st|nd|rd|th)?)(?![\p{L}\d:])(?:,? (?<year>(?:19|20)\d\d)(?!\d))?`,
      "giu",
    ),
    isPlain: true,
    dayOf: dayOfMonthNamed,
  },
  {
    find: /(?<!\p{L})the (?<day>\d{1,2})(?:st|nd|rd|th)(?![\p{L}\d])(?! (?:floor|time|grade|class|week|day|month|year|row)\b)/giu,
    dayOf: ({ day: dayOfMonth }, at) => nextDayOfMonth(Number(dayOfMonth), at),
  },
  {
    find: new RegExp(
      String.raw`(?<!\p{L})(?<!last )(?:next |this )?(?<name>${weekdayNames.join("|")})(?!\p{L}| (?:morning|afternoon|evening|night)s)`,
      "giu",
    ),
    dayOf: ({ name = "" }, at) => {
      const ahead = (weekdayNames.indexOf(name.toLowerCase()) - new Date(at).getUTCDay() + 7) % 7;
      return at + (ahead === 0 ? 7 : ahead) * day;
    },
  },
  {
    find: /(?<!\p{L})(?:(?<second>the )?day after )?tomorrow(?!\p{L})/giu,
    dayOf: ({ second }, at) => at + (second === undefined ? 1 : 2) * day,
  },
];

/** So much of a sentence is looked at, in UTF-16 units. */
const longestRead = 600;

/**
 * The day to come that a sentence names, in UTC; of several the last one, as in `from the 12th to the 19th`. `undefined`: it names
 * none, or a day that has passed.
 *
 * @param at when it was said, milliseconds since 1970
 */
export function comingDay(sentence: string, at: number): ComingDay | undefined {
  const text = sentence.slice(0, longestRead);
  for (const { find, dayOf, isPlain = false } of namings) {
    const found = [...text.matchAll(find)].at(-1);
    if (found?.groups === undefined) continue;
    const time = dayOf(found.groups, at);
    if (time === undefined || time < at - day) return undefined;
    return { text: found[0], date: new Date(time).toISOString().slice(0, 10), isPlain };
  }
  return undefined;
}

/** `undefined` for what is no day: 31 June. */
function dateOf(year: number, month: number, dayOfMonth: number): number | undefined {
  const time = Date.UTC(year, month, dayOfMonth);
  return new Date(time).getUTCDate() === dayOfMonth && new Date(time).getUTCMonth() === month ? time : undefined;
}

/** Without a year the next one, or the one that has just passed. */
function dayOfMonthNamed(groups: Readonly<Record<string, string | undefined>>, at: number): number | undefined {
  const month = months.indexOf((groups["month"] ?? groups["monthBefore"] ?? "").toLowerCase());
  const dayOfMonth = Number(groups["day"] ?? groups["dayBehind"]);
  if (groups["year"] !== undefined) return dateOf(Number(groups["year"]), month, dayOfMonth);
  const thisYear = new Date(at).getUTCFullYear();
  const time = dateOf(thisYear, month, dayOfMonth);
  // `The wedding was on 3 March`, said in May: not next year's.
  const longestAgo = 62 * day;
  return time !== undefined && time < at - longestAgo ? dateOf(thisYear + 1, month, dayOfMonth) : time;
}

/** A month or two may have no such day. */
const monthsAhead = 3;

function nextDayOfMonth(dayOfMonth: number, at: number): number | undefined {
  const today = new Date(new Date(at).toISOString().slice(0, 10)).getTime();
  const [year, month] = [new Date(at).getUTCFullYear(), new Date(at).getUTCMonth()];
  for (let ahead = 0; ahead <= monthsAhead; ahead++) {
    const time = dateOf(year + Math.floor((month + ahead) / 12), (month + ahead) % 12, dayOfMonth);
    if (time !== undefined && time > today) return time;
  }
  return undefined;
}
