import type { Instant, Memory } from "@loci/domain";
import { isWrittenDate, localTimes } from "../time/local-time.ts";

/** Days as `yyyy-mm-dd`. A day of a year that is not written like that is left out. */
export interface MemoryDates {
  /** When it was said. */
  readonly date?: string | undefined;
  /** Since when it holds, where that is another day. */
  readonly since?: string | undefined;
  /** Until when it holds, that day excluded. */
  readonly until?: string | undefined;
}

/** Tells the day of a time zone as `yyyy-mm-dd`; `undefined` for one of a year that is not written like that. */
export function dayOfTimeZone(timeZone: string): (at: Instant | undefined) => string | undefined {
  const localTime = localTimes(timeZone);
  return (at) => {
    if (at === undefined) return undefined;
    const { date } = localTime(at);
    return isWrittenDate(date) ? date : undefined;
  };
}

/** Tells on which days of a time zone a memory was said and holds. */
export function memoryDates(timeZone: string): (memory: Memory) => MemoryDates {
  const dayOf = dayOfTimeZone(timeZone);
  return ({ createdAt, validFrom, validTo }) => {
    const [date, since, until] = [dayOf(createdAt), dayOf(validFrom), dayOf(validTo)];
    return { date, since: since === date ? undefined : since, until };
  };
}

/** What is told of them, by name, in their order. */
export function datesTold({ date, since, until }: MemoryDates): readonly (readonly [name: string, day: string])[] {
  const told: (readonly [string, string | undefined])[] = [
    ["date", date],
    ["since", since],
    ["until", until],
  ];
  return told.flatMap(([name, day]) => (day === undefined ? [] : [[name, day] as const]));
}

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The day that it is in a time zone: `Friday, 2026-03-13`. Undefined for a year that is not written like others. */
export function dayOfContext(at: Instant, timeZone: string): string | undefined {
  const { date } = localTimes(timeZone)(at);
  return isWrittenDate(date) ? `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]}, ${date}` : undefined;
}
