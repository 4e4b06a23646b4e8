import type { ScoredCandidate } from "./candidate.ts";

/** A memory of another category must score so much, as a share of one that would give way to it. */
const rivalShare = 0.5;

/** The best scores from each place in the order on: of any category, which one that is, and of any other than that one. */
interface BestFrom {
  readonly categories: readonly string[];
  readonly scores: Float64Array;
  readonly ofOthers: Float64Array;
}

/**
 * Who may go before a memory whose category has taken its share of the places: somebody of another category who comes later and
 * scores at least half as much. What scores less is no answer that was crowded out. Procedures have places of their own,
 * and so no rivals.
 */
export class Rivals {
  readonly #ordered: readonly ScoredCandidate[];
  /** Made when first asked for: few recalls fill a category's share. */
  #bestFrom: BestFrom | undefined;

  /** @param ordered in the order of who comes first */
  constructor(ordered: readonly ScoredCandidate[]) {
    this.#ordered = ordered;
  }

  /** @param from the place from which on they stand in the order */
  mayGoBefore({ memory: { category }, score }: ScoredCandidate, from: number): boolean {
    if (category === "procedure") return false;
    const { categories, scores, ofOthers } = (this.#bestFrom ??= bestFrom(this.#ordered));
    const best = (categories[from] === category ? ofOthers[from] : scores[from]) ?? Number.NEGATIVE_INFINITY;
    return best >= rivalShare * score;
  }
}

function bestFrom(ordered: readonly ScoredCandidate[]): BestFrom {
  const categories = ordered.map(() => "");
  const scores = new Float64Array(ordered.length);
  const ofOthers = new Float64Array(ordered.length);
  let [best, bestScore, otherScore] = ["", Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let place = ordered.length - 1; place >= 0; place--) {
    const {
      memory: { category },
      score,
    } = ordered[place] as ScoredCandidate;
    if (category !== "procedure") {
      if (category === best) bestScore = Math.max(bestScore, score);
      else if (score > bestScore) [best, bestScore, otherScore] = [category, score, bestScore];
      else otherScore = Math.max(otherScore, score);
    }
    categories[place] = best;
    scores[place] = bestScore;
    ofOthers[place] = otherScore;
  }
  return { categories, scores, ofOthers };
}
