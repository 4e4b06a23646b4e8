import { blockTextLengths } from "@loci/domain";
import type { OpenEngineOptions } from "@loci/loci";
import { refusedVariable } from "./refused-variable.ts";

/**
 * How long blocks may be, and when human blocks are rotated, in a directory that is opened by this process: by the variables
 * that a server reads, too.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a value that is none
 */
export function blockSettings(): NonNullable<OpenEngineOptions["blocks"]> {
  const maxChars = numberIn("LOCI_CORE_MEMORY_MAX_CHARS", { ...blockTextLengths, isWhole: true });
  return { maxChars, threshold: numberIn("LOCI_ARCHIVAL_ROTATION_THRESHOLD", { least: 0, most: 1, isWhole: false }) };
}

function numberIn(
  variable: string,
  { least, most, isWhole }: { readonly least: number; readonly most: number; readonly isWhole: boolean },
): number | undefined {
  const given = process.env[variable] ?? "";
  if (given === "") return undefined;
  const value = /^\d{1,6}(?:\.\d{1,15})?$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value;
  throw refusedVariable(variable, `a number from ${least} to ${most}`);
}
