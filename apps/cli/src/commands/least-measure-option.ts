import type { MeasureName, Measures } from "@loci/evaluation";
import { LociError } from "@loci/domain";
import { InvalidArgumentError } from "commander";

/** What a measure must reach. */
export interface LeastMeasure {
  readonly name: string;
  /** 0 to 1. */
  readonly least: number;
}

/** One of several: `hit@3=0.85`, or `hit@3=85%`. */
export function parseLeastMeasure(value: string, before: readonly LeastMeasure[] = []): readonly LeastMeasure[] {
  const [, name = "", digits = "", percent] = /^([a-z@\d-]+)=(\d+(?:\.\d+)?)(%)?$/u.exec(value) ?? [];
  const least = Number(digits) / (percent === undefined ? 1 : 100);
  if (name === "" || least > 1)
    throw new InvalidArgumentError("It must be a measure and a share from 0 to 1, such as hit@3=0.85.");
  return [...before, { name, least }];
}

/** Those that are not reached. @throws LociError `INVALID_REQUEST` for one that was not measured */
export function missed(measures: Measures, leasts: readonly LeastMeasure[]): readonly LeastMeasure[] {
  return leasts.filter(({ name, least }) => {
    const value = measures[name as MeasureName];
    if (value === undefined)
      throw new LociError("INVALID_REQUEST", {
        message: `${name} was not measured.`,
        field: "--at-least",
        advice: `Name one of ${Object.keys(measures).join(", ")}. --limit sets the last place, and nothing-found takes questions that expect nothing.`,
      });
    return value < least;
  });
}
