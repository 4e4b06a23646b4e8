import { type Instant, LociError, shownText, shownValue } from "@loci/domain";

/** How many days a section of daily logs shows: today and six before. */
export const shownDays = 7;

/**
 * The days up to the one an instant is on in a time zone, newest first, as `yyyy-mm-dd`.
 *
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function dayNames(now: Instant, timeZone: string, count: number): readonly string[] {
  const [year = 0, month = 1, day = 1] = dateIn(now, timeZone).split("-").map(Number);
  // Days are counted on the calendar: not each has 24 hours.
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1, day - back)).toISOString().slice(0, 10),
  );
}

function dateIn(now: Instant, timeZone: string): string {
  try {
    const parts = new Intl.DateTimeFormat("en-u-ca-iso8601", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
    }).formatToParts(now);
    const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? "";
    return `${part("year")}-${part("month")}-${part("day")}`;
  } catch (cause) {
    throw new LociError("INVALID_REQUEST", {
      message: `${shownText(timeZone)} is no time zone.`,
      field: "timeZone",
      advice: "Use an IANA name such as Europe/Berlin, or UTC.",
      cause,
    });
  }
}

/** @throws LociError `INVALID_REQUEST` for what is no time zone */
export function checkTimeZone(timeZone: unknown): string {
  if (typeof timeZone === "string") {
    dateIn(0, timeZone);
    return timeZone;
  }
  throw new LociError("INVALID_REQUEST", {
    message: `timeZone is ${shownValue(timeZone)}, which is no time zone.`,
    field: "timeZone",
    advice: "Use an IANA name such as Europe/Berlin, or UTC.",
  });
}
