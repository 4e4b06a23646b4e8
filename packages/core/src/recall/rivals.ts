import type { ScoredCandidate } from "./candidate.ts";

/** A memory of another category must score so much, as a share of one that would give way to it. */
const rivalShare = 0.5;

/** The best scores from one place in the order on: of any category, and of any other than that one. */
interface BestFrom {
  readonly category: string;
  readonly score: number;
  readonly ofOthers: number;
}

/**
 * Who may go before a memory whose category has taken its share of the places: somebody of another category who comes later and
 * scores at least half as much. What scores less is no answer that was crowded out. Procedures have places of their own,
 * and so no rivals.
 */
export class Rivals {
  readonly #ordered: readonly ScoredCandidate[];
  /** By place in the order. Made when first asked for: few recalls fill a category's share. */
  #bestFrom: readonly BestFrom[] | undefined;

  /** @param ordered in the order of who comes first */
  constructor(ordered: readonly ScoredCandidate[]) {
    this.#ordered = ordered;
  }

  /** @param from the place from which on they stand in the order */
  mayGoBefore({ memory: { category }, score }: ScoredCandidate, from: number): boolean {
    if (category === "procedure") return false;
    this.#bestFrom ??= bestFrom(this.#ordered);
    const best = this.#bestFrom[from] ?? nobody;
    return (best.category === category ? best.ofOthers : best.score) >= rivalShare * score;
  }
}

const nobody: BestFrom = { category: "", score: Number.NEGATIVE_INFINITY, ofOthers: Number.NEGATIVE_INFINITY };

function bestFrom(ordered: readonly ScoredCandidate[]): readonly BestFrom[] {
  const from: BestFrom[] = [];
  let best = nobody;
  for (let place = ordered.length - 1; place >= 0; place--) {
    const { memory, score } = ordered[place] as ScoredCandidate;
    best = memory.category === "procedure" ? best : joined(best, memory.category, score);
    from[place] = best;
  }
  return from;
}

function joined(best: BestFrom, category: string, score: number): BestFrom {
  if (category === best.category) return score > best.score ? { ...best, score } : best;
  if (score > best.score) return { category, score, ofOthers: best.score };
  return score > best.ofOthers ? { ...best, ofOthers: score } : best;
}
