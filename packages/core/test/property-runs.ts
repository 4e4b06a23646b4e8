/**
 * How many cases a property is tried with: as many as usual, or `LOCI_PROPERTY_RUNS` when that is more. The nightly run
 * sets it; nothing else reads it.
 */
export function propertyRuns(usual: number): number {
  const wanted = Number(process.env["LOCI_PROPERTY_RUNS"] ?? 0);
  if (!Number.isSafeInteger(wanted) || wanted < 0)
    throw new Error(`LOCI_PROPERTY_RUNS is ${wanted}, not a whole number.`);
  return Math.max(usual, wanted);
}
