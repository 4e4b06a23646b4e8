import { checkChoice, checkList, LociError, maxTurnsPerSession } from "@loci/domain";
import { checkWholeNumber } from "../validation/validate-number.ts";
import { checkStoredText } from "../validation/validate-text.ts";
import { passExportedLines } from "./exported-line.ts";

type Check<Value, Result = Value> = (value: Value, path: string) => Result;

/** Of one capture, which reads 200 turns at most. */
const mostEntries = 10_000;

export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): Check<number> {
  return (value, path) => checkWholeNumber(value, path, { least, most });
}

/** The number of a turn. */
export const turnNumber: Check<number> = whole(1, maxTurnsPerSession);

/** @param most UTF-8 bytes */
export function text(most: number): Check<string> {
  return (value, path) => (value === "" ? "" : checkStoredText(value, path, most));
}

export function oneOf<Choice extends string>(...choices: readonly Choice[]): Check<Choice> {
  return (value, path) => checkChoice(value, choices, path);
}

export function orNull<Value, Result>(check: Check<Value, Result>): Check<Value | null, Result | null> {
  return (value, path) => (value === null ? null : check(value, path));
}

export function listOf<Value, Result>(
  check: Check<Value, Result>,
  most: number = mostEntries,
): Check<readonly Value[], readonly Result[]> {
  return (values, path) =>
    checkList(values, path, { least: 0, most }).map((value, index) => check(value, `${path}[${index}]`));
}

/** From 0, such as an amount of money, to no more than `most`. */
export function numberTo(most: number): Check<number> {
  return (value, path) => {
    if (Number.isFinite(value) && value >= 0 && value <= most) return value;
    const range = most === Number.MAX_VALUE ? "from 0" : `from 0 to ${most}`;
    throw new LociError("INVALID_NUMBER", {
      message: `${path} must be a number ${range}.`,
      field: path,
      advice: passExportedLines,
    });
  };
}
