import type { Instant } from "@loci/domain";

const months = "January February March April May June July August September October November December".split(" ");
const clockAndDay = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) ([A-Z][a-z]+), (\d{4})$/;
const isoDay = /^(\d{4})-(\d{2})-(\d{2})\b/;

/**
 * The instant that a data set's time stands for, as UTC: `1:56 pm on 8 May, 2023`, or `2025-12-15 (Monday)` for the start
 * of that day.
 *
 * @throws Error for any other form
 */
export function instantOf(time: string): Instant {
  const day = isoDay.exec(time);
  if (day !== null) return Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  const spoken = clockAndDay.exec(time);
  const month = months.indexOf(spoken?.[5] ?? "");
  if (spoken === null || month < 0) throw new Error(`Not a known form of time: ${JSON.stringify(time)}`);
  const hour = (Number(spoken[1]) % 12) + (spoken[3] === "pm" ? 12 : 0);
  return Date.UTC(Number(spoken[6]), month, Number(spoken[4]), hour, Number(spoken[2]));
}
