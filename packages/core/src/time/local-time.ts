import { type Instant, LociError, shownText } from "@loci/domain";

const dayLength = 86_400_000;
/** No time zone is further from UTC, in milliseconds. */
export const furthestZone: number = 15 * 3_600_000;

/** When an instant is in a time zone. */
export interface LocalTime {
  /** `yyyy-mm-dd`. */
  readonly date: string;
  /** `hh:mm`. */
  readonly time: string;
}

/** A day of a time zone. */
export interface DayBounds {
  readonly start: Instant;
  /** Exclusive. */
  readonly end: Instant;
}

/**
 * Tells local times.
 *
 * @param timeZone an IANA name
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function localTimes(timeZone: string): (at: Instant) => LocalTime {
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

/**
 * The day that an instant is on in a time zone, as its midnight in UTC: days of the calendar are counted in these. Before the year
 * 1000 and behind 9999, the day of UTC.
 *
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function calendarDay(at: Instant, timeZone: string): Instant {
  const { date } = localTimes(timeZone)(at);
  return isWrittenDate(date) ? Date.parse(`${date}T00:00:00Z`) : Math.floor(at / dayLength) * dayLength;
}

/** When a day of the calendar begins in a time zone. @param day as {@link calendarDay} gives it */
export function startOfDay(day: Instant, timeZone: string): Instant {
  const [date = ""] = new Date(day).toISOString().split("T");
  return timeZone === "UTC" || !isWrittenDate(date) ? day : dayBounds(date, timeZone, localTimes(timeZone)).start;
}

/** Whether a date is written like others, which some years are not. */
export function isWrittenDate(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(date);
}

/**
 * When a day begins and ends. Not every day of a time zone has 24 hours.
 *
 * @param date `yyyy-mm-dd`; anything else is a day that never comes
 * @param localTime what {@link localTimes} gives for the time zone
 */
export function dayBounds(date: string, timeZone: string, localTime: (at: Instant) => LocalTime): DayBounds {
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

/** By time zone. Making one takes as long as a tenth of a small recall. */
const formats = new Map<string, Intl.DateTimeFormat>();
/** Callers may spell a time zone in many ways. */
const mostFormats = 64;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    if (formats.size === mostFormats) formats.clear();
    formats.set(timeZone, format);
    return format;
  } catch (cause) {
    throw new LociError("INVALID_REQUEST", {
      message: `${shownText(timeZone)} is no time zone.`,
      field: "timeZone",
      advice: "Use an IANA name such as Europe/Berlin, or UTC.",
      cause,
    });
  }
}
