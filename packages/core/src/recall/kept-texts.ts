import { cosineOfUnitVectors } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";
import type { Contradiction } from "./newer-first.ts";
import { type Agreement, agreementOf, Claimant } from "./same-claim.ts";

/** A first look at so many numbers of two vectors tells most that are not near apart. */
const lookLength = 256;
/** More than sums of products are off by. */
const tolerance = 1e-9;

/**
 * What has been kept, to tell what only says the same: the same text, or one that is near and makes the same claim. Near is
 * what has for every vector of the other one a vector with at least the gate's cosine.
 *
 * Text in several chunks has several vectors, so a long text that shares one chunk with another one is no duplicate.
 */
export class KeptTexts {
  readonly #duplicateGate: number;
  readonly #kept: SeenCandidate[] = [];
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
    for (const kept of this.#kept) {
      const agreement = this.#agreementOf(seen, kept);
      if (agreement === "same") return kept.scored;
      if (agreement === "contradicts" && !isToldApart(scored, kept.scored)) contradicted.push(kept.scored);
    }
    this.#kept.push(seen);
    for (const other of contradicted) this.#contradictions.push([scored, other]);
    return undefined;
  }

  /** Those that were kept in nearly the same words and contradict each other, where the question does not tell them apart. */
  get contradictions(): readonly Contradiction[] {
    return this.#contradictions;
  }

  #agreementOf(seen: SeenCandidate, kept: SeenCandidate): Agreement {
    const { vectors, claimant } = seen;
    const isSameText = claimant.memory.text === kept.claimant.memory.text;
    const mayBeSame =
      isSameText ||
      (vectors.length > 0 &&
        vectors.every((vector) => kept.vectors.some((known) => isNear(vector, known, this.#duplicateGate))));
    return mayBeSame ? agreementOf(claimant, kept.claimant) : "different";
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

interface SeenVector {
  readonly vector: Float32Array;
  /** Its first numbers. */
  readonly start: Float32Array;
  /** The length of the rest of it: with another rest it makes at most the product of both. */
  readonly restLength: number;
}

function seenVector(vector: Float32Array): SeenVector {
  const rest = vector.subarray(lookLength);
  return { vector, start: vector.subarray(0, lookLength), restLength: Math.sqrt(cosineOfUnitVectors(rest, rest)) };
}

function isNear(left: SeenVector, right: SeenVector, gate: number): boolean {
  if (left.vector.length > lookLength) {
    const most = cosineOfUnitVectors(left.start, right.start) + left.restLength * right.restLength;
    if (most + tolerance < gate) return false;
  }
  return cosineOfUnitVectors(left.vector, right.vector) >= gate;
}
