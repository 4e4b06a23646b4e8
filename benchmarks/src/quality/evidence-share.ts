/** How many of the best are looked at. */
export const cuts = [5, 10, 20] as const;

/** For one question: the share of its evidence among the best 5, 10 and 20, each 0 to 1. */
export type EvidenceShares = readonly number[];

/** @param ranked what was found, best first; what comes again counts at its first place only */
export function evidenceShares(ranked: Iterable<string>, evidence: ReadonlySet<string>): EvidenceShares {
  const best = [...new Set(ranked)];
  return cuts.map((cut) => shareOf(best.slice(0, cut), evidence));
}

/** The share of the evidence that is among the found. */
export function shareOf(found: Iterable<string>, evidence: ReadonlySet<string>): number {
  const seen = new Set(found);
  let present = 0;
  for (const id of evidence) if (seen.has(id)) present++;
  return present / evidence.size;
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
