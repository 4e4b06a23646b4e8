/** What is known of a memory and its use when its importance is weighed anew. */
export interface ImportanceEvidence {
  /** As it was given, 0 to 1, and not as an earlier weighing has left it. */
  readonly original: number;
  readonly isStatic: boolean;
  readonly accessCount: number;
  /** How often recalls gave it, used or not. Default 0. */
  readonly shownCount?: number | undefined;
  readonly daysSinceCreation: number;
  /** Absent: it was never used. */
  readonly daysSinceLastUse?: number | undefined;
}

/** The month that weighing anew counts in, in days: before it has passed nothing fades. */
export const importanceMonthDays: number = 30;
const month = importanceMonthDays;
/** Uses a month from which a memory counts as often used. */
const oftenUsed = 4;
/** Times shown from which one that was never used has been passed over. */
const oftenShown = 4;
/** The most that use can close of the distance to 1. */
const mostGain = 0.5;
/** What is left of importance after each month without any use. */
const monthlyFade = 0.9;
/** The least that is left of it. */
const leastLeft = 0.5;

/**
 * Importance in the light of use.
 *
 * - Used in the last month, and at least 4 times a month since creation (a younger memory counts as a month old):
 *   original + (1 − original) × min(0.5, 0.1 × log2(uses a month))
 * - Shown at least 4 times and never used, a month old or more: original × max(0.5, 0.9^(whole months since creation))
 * - Everything else, what was never shown and what is static: as it was given
 *
 * Always from the original, so that weighing twice changes nothing. Ages below 0 count as 0.
 */
export function reweighedImportance(evidence: ImportanceEvidence): number {
  const { original, isStatic, accessCount, shownCount = 0, daysSinceLastUse } = evidence;
  if (isStatic) return original;
  const age = Math.max(0, evidence.daysSinceCreation);
  if (accessCount === 0 || daysSinceLastUse === undefined) {
    const months = shownCount < oftenShown ? 0 : Math.floor(age / month);
    return original * Math.max(leastLeft, monthlyFade ** months);
  }
  const usesPerMonth = accessCount / Math.max(1, age / month);
  if (daysSinceLastUse > month || usesPerMonth < oftenUsed) return original;
  return original + (1 - original) * Math.min(mostGain, 0.1 * Math.log2(usesPerMonth));
}
