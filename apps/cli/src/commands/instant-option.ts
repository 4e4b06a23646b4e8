import { InvalidArgumentError } from "commander";
import type { Instant } from "@loci/loci";

/** A date given on the command line, in ISO 8601. Without a zone it is UTC, so that scripts mean the same everywhere. */
export function parseInstantOption(value: string): Instant {
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/u.test(value) || !value.includes("T");
  const instant = Date.parse(hasZone ? value : `${value}Z`);
  if (Number.isNaN(instant)) throw new InvalidArgumentError("It must be a date such as 2026-11-22T09:30:00Z.");
  return instant;
}
