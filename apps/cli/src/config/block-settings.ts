import { LociError, type OpenEngineOptions } from "@loci/loci";

/**
 * How long blocks may be, and when human blocks are rotated, in a directory that is opened by this process: by the variables
 * that a server reads, too.
 *
 * @throws LociError `INVALID_CONFIGURATION` for a value that is none
 */
export function blockSettings(): NonNullable<OpenEngineOptions["blocks"]> {
  const maxChars = numberIn("LOCI_CORE_MEMORY_MAX_CHARS", { least: 100, most: 100_000 });
  if (maxChars !== undefined && !Number.isInteger(maxChars)) throw refused("LOCI_CORE_MEMORY_MAX_CHARS", 100, 100_000);
  return { maxChars, threshold: numberIn("LOCI_ARCHIVAL_ROTATION_THRESHOLD", { least: 0, most: 1 }) };
}

function numberIn(
  variable: string,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined {
  const given = process.env[variable] ?? "";
  if (given === "") return undefined;
  const value = /^\d{1,6}(?:\.\d{1,15})?$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw refused(variable, least, most);
}

function refused(variable: string, least: number, most: number): LociError {
  return new LociError("INVALID_CONFIGURATION", {
    message: `${variable} is no number from ${least} to ${most}.`,
    field: variable,
    advice: "Set another one, or none.",
  });
}
