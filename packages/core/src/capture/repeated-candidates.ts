import type { CaptureCandidate } from "@loci/domain";

/** A memory rests on no more places of a session. */
export const mostEvidence = 8;

/**
 * The candidates without those that say word for word what is to be added already: that is one memory, which rests on the places of
 * all of them.
 */
export function withoutRepeated(candidates: readonly CaptureCandidate[]): readonly CaptureCandidate[] {
  const kept: CaptureCandidate[] = [];
  const places = new Map<string, number>();
  for (const candidate of candidates) {
    const { decision, kind, scope, text, evidence } = candidate;
    const key = JSON.stringify([kind, scope, text]);
    const place = decision === "ADD" ? places.get(key) : undefined;
    if (place === undefined) {
      if (decision === "ADD") places.set(key, kept.length);
      kept.push(candidate);
      continue;
    }
    const earlier = kept[place] as CaptureCandidate;
    kept[place] = { ...earlier, evidence: [...earlier.evidence, ...evidence].slice(0, mostEvidence) };
  }
  return kept;
}
