import { InvalidArgumentError } from "commander";

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 };

/** A time given on the command line as a number and its unit, such as `90s`, `15m`, `8h` or `1d`: in seconds. */
export function parseDurationOption(value: string): number {
  const [, amount = "", unit = ""] = /^([1-9]\d{0,8})([smhd])$/u.exec(value) ?? [];
  const seconds = Number(amount) * (secondsOf[unit] ?? 0);
  if (seconds === 0) throw new InvalidArgumentError("It must be a time such as 90s, 15m or 8h.");
  return seconds;
}
