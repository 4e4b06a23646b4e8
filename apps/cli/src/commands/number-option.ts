import { InvalidArgumentError } from "commander";

/** A number given on the command line; anything else is a usage error. */
export function parseNumber(value: string): number {
  const number = value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(number)) throw new InvalidArgumentError("It must be a number.");
  return number;
}

/** How many to show at most, from 1 to 1,000; anything else is a usage error. */
export function parseListLimit(value: string): number {
  const limit = parseNumber(value);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostListed}.`);
  return limit;
}

const mostListed = 1_000;
