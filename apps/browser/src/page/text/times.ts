import type { Timestamp } from "@bufbuild/protobuf/wkt";

/** Milliseconds since 1970. */
export function millisecondsOf({ seconds, nanos }: Timestamp): number {
  return Number(seconds) * 1_000 + Math.floor(nanos / 1_000_000);
}

const units = [
  ["y", 365 * 24 * 3_600_000],
  ["mo", 30 * 24 * 3_600_000],
  ["d", 24 * 3_600_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

/** How long ago something was, such as "3 d"; "now" within a minute; "in 2 h" for what is to come. */
export function shownAge(milliseconds: number, now: number = Date.now()): string {
  const elapsed = now - milliseconds;
  const [unit, length] = units.find(([, length]) => Math.abs(elapsed) >= length) ?? [];
  if (unit === undefined || length === undefined) return "now";
  const age = `${Math.floor(Math.abs(elapsed) / length)} ${unit}`;
  return elapsed < 0 ? `in ${age}` : age;
}

/** A time of the reader's day, to the second, without a doubt about the order of day and month. */
export function shownTime(milliseconds: number): string {
  const time = new Date(milliseconds);
  if (Number.isNaN(time.getTime())) return "out of the calendar";
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}
