import { compareIds } from "../scoring/compare-ids.ts";

/** What tells one claim from another that looks like it. */
export interface GatedClaim {
  readonly slot: string | null;
  readonly value: string | null;
  readonly numbers: readonly string[];
  /** As `2026-03-25`. */
  readonly dates: readonly string[];
  readonly negated: boolean;
}

/** A memory that is like the candidate. */
export interface SimilarMemory extends GatedClaim {
  readonly id: string;
  readonly cosine: number;
}

export interface CaptureGates {
  /** Cosine from which the embedder takes two texts for one. */
  readonly duplicateGate: number;
  /** Cosine above which texts are near-identical. Usually 0.95. */
  readonly nearIdentical: number;
}

export type GateOutcome =
  | { readonly outcome: "DUPLICATE"; readonly of: string }
  | { readonly outcome: "REFUSED"; readonly reason: "TOO_MANY_NEAR_IDENTICAL" }
  | { readonly outcome: "JUDGE"; readonly against: readonly string[] };

/** So many near-identical memories may be there, and */
const maxNearIdentical = 2;
/** so many of the nearest are what a candidate is judged against. */
const judgedAgainst = 5;

/**
 * What happens to a candidate before it is judged: it is a duplicate of the nearest memory that agrees with it, or too many are
 * nearly identical with it, or it is judged against the nearest five.
 *
 * @param similar in any order
 */
export function throughGates(
  candidate: GatedClaim,
  similar: readonly SimilarMemory[],
  { duplicateGate, nearIdentical }: CaptureGates,
): GateOutcome {
  const nearest = similar.toSorted((left, right) => right.cosine - left.cosine || compareIds(left.id, right.id));
  const duplicate = nearest.find((memory) => memory.cosine >= duplicateGate && agrees(candidate, memory));
  if (duplicate !== undefined) return { outcome: "DUPLICATE", of: duplicate.id };
  if (similar.filter(({ cosine }) => cosine > nearIdentical).length > maxNearIdentical)
    return { outcome: "REFUSED", reason: "TOO_MANY_NEAR_IDENTICAL" };
  return { outcome: "JUDGE", against: nearest.slice(0, judgedAgainst).map(({ id }) => id) };
}

/** Slot and value count where both have one. */
function agrees(left: GatedClaim, right: GatedClaim): boolean {
  const differ = (one: string | null, other: string | null): boolean => one !== null && other !== null && one !== other;
  return (
    !differ(left.slot, right.slot) &&
    !differ(left.value, right.value) &&
    hasSame(left.numbers, right.numbers) &&
    hasSame(left.dates, right.dates) &&
    left.negated === right.negated
  );
}

function hasSame(left: readonly string[], right: readonly string[]): boolean {
  const one = new Set(left);
  const other = new Set(right);
  return one.size === other.size && [...one].every((entry) => other.has(entry));
}
