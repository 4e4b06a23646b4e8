import { compareIds } from "./compare-ids.ts";

/** One thing in a fused ranking. */
export interface FusedRank {
  readonly id: string;
  readonly score: number;
}

/**
 * Reciprocal rank fusion, for indexes that give ranks only: an id scores Σ 1/(k + rank) over the lists, ranks from 1.
 *
 * An id that a list repeats counts once, at its first place; the items after it keep their positions. Best first, ties
 * by id.
 *
 * Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank learning
 * methods" (2009).
 *
 * @param lists each best first
 * @param k default 60, as in the paper
 */
export function reciprocalRankFusion(lists: readonly (readonly string[])[], k = 60): readonly FusedRank[] {
  const scores = new Map<string, number>();
  for (const list of lists) {
    const seen = new Set<string>();
    for (const [index, id] of list.entries()) {
      if (seen.has(id)) continue;
      seen.add(id);
      scores.set(id, (scores.get(id) ?? 0) + 1 / (k + index + 1));
    }
  }
  return [...scores]
    .map(([id, score]) => ({ id, score }))
    .toSorted((left, right) => right.score - left.score || compareIds(left.id, right.id));
}
