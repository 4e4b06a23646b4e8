import { InvalidArgumentError } from "commander";
import type { Instant } from "@loci/loci";

const iso = /^(\d{4}(?:-\d\d(?:-\d\d)?)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/iu;

/** A date given on the command line, in ISO 8601. Without a zone it is UTC, so that scripts mean the same everywhere. */
export function parseInstantOption(value: string): Instant {
  const [, day = "", time, zone = "Z"] = iso.exec(value) ?? [];
  const instant = Date.parse(time === undefined ? day : `${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(instant)) throw new InvalidArgumentError("It must be a date such as 2026-11-22T09:30:00Z.");
  return instant;
}
