import type { ScoredCandidate } from "./candidate.ts";
import type { Contradiction } from "./newer-first.ts";
import { areNear, nearCosines, type SeenVector, seenVector } from "./near-vectors.ts";
import { type Agreement, agreementOf, Claimant } from "./same-claim.ts";

/**
 * What has been kept, to tell what only says the same: the same text, or one that is near and makes the same claim. Near is
 * what has for every vector of the other one a vector with at least the gate's cosine.
 *
 * Text in several chunks has several vectors, so a long text that shares one chunk with another one is no duplicate.
 */
export class KeptTexts {
  readonly #duplicateGate: number;
  readonly #kept: SeenCandidate[] = [];
  /** Those kept with a text, by their numbers. */
  readonly #byText = new Map<string, number[]>();
  /** All vectors of those kept, and whose they are. */
  readonly #vectors: SeenVector[] = [];
  readonly #numbers: number[] = [];
  readonly #contradictions: Contradiction[] = [];

  /** @param duplicateGate cosine from which two texts say the same thing */
  constructor(duplicateGate: number) {
    this.#duplicateGate = duplicateGate;
  }

  /** Keeps it, unless there is one that it says the same as: that one is returned. */
  keep(scored: ScoredCandidate): ScoredCandidate | undefined {
    const seen: SeenCandidate = {
      scored,
      claimant: new Claimant(scored.memory),
      vectors: (scored.candidate.vectors ?? []).map(seenVector),
    };
    const contradicted: ScoredCandidate[] = [];
    for (const number of this.#comparable(seen)) {
      const kept = this.#kept[number] as SeenCandidate;
      const agreement = this.#agreementOf(seen, kept);
      if (agreement === "same") return kept.scored;
      if (agreement === "contradicts" && !isToldApart(scored, kept.scored)) contradicted.push(kept.scored);
    }
    this.#add(seen);
    for (const other of contradicted) this.#contradictions.push([scored, other]);
    return undefined;
  }

  /** Those that were kept in nearly the same words and contradict each other, where the question does not tell them apart. */
  get contradictions(): readonly Contradiction[] {
    return this.#contradictions;
  }

  #add(seen: SeenCandidate): void {
    const number = this.#kept.push(seen) - 1;
    const { text } = seen.scored.memory;
    const alike = this.#byText.get(text);
    if (alike === undefined) this.#byText.set(text, [number]);
    else alike.push(number);
    for (const vector of seen.vectors) {
      this.#vectors.push(vector);
      this.#numbers.push(number);
    }
  }

  /** The numbers of those that have its text or are near its first vector, ascending. */
  #comparable({ scored, vectors: [first] }: SeenCandidate): readonly number[] {
    const alike = this.#byText.get(scored.memory.text);
    const near = first === undefined ? [] : this.#near(first);
    if (alike === undefined) return near;
    return [...new Set([...alike, ...near])].toSorted((left, right) => left - right);
  }

  /** Of those that have a vector near to one. */
  #near(one: SeenVector): readonly number[] {
    const cosines = nearCosines(one, this.#vectors, this.#duplicateGate);
    const near: number[] = [];
    for (let at = 0; at < cosines.length; at++) {
      const number = this.#numbers[at] as number;
      if ((cosines[at] as number) >= this.#duplicateGate && near.at(-1) !== number) near.push(number);
    }
    return near;
  }

  /** @param kept has its text or is near its first vector */
  #agreementOf(seen: SeenCandidate, kept: SeenCandidate): Agreement {
    const isSameText = seen.scored.memory.text === kept.scored.memory.text;
    const mayBeSame = isSameText || areNear(seen.vectors.slice(1), kept.vectors, this.#duplicateGate);
    return mayBeSame ? agreementOf(seen.claimant, kept.claimant) : "different";
  }
}

interface SeenCandidate {
  readonly scored: ScoredCandidate;
  readonly claimant: Claimant;
  readonly vectors: readonly SeenVector[];
}

/** Whether the question holds a word of one that the other lacks: then it asks for that one. */
function isToldApart(left: ScoredCandidate, right: ScoredCandidate): boolean {
  const { frequencies } = left.candidate;
  const others = right.candidate.frequencies;
  for (let term = 0; term < frequencies.length; term++)
    if ((frequencies[term] as number) > 0 !== (others[term] as number) > 0) return true;
  return false;
}
