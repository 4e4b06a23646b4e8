import { InvalidArgumentError } from "commander";

/** How long to wait, given on the command line: a thousandth of a second to ten minutes. Anything else is a usage error. */
export function parseSecondsOption(value: string): number {
  const seconds = Number(value);
  if (seconds >= shortest && seconds <= longest) return seconds;
  throw new InvalidArgumentError(`It must be a number of seconds from ${shortest} to ${longest}.`);
}

const shortest = 0.001;
const longest = 600;
