import type { ScoredCandidate } from "./candidate.ts";
import type { Contradiction } from "./newer-first.ts";
import { type Agreement, agreementOf, Claimant } from "./same-claim.ts";

/** After each so many numbers of two vectors it is asked whether they can still be near. Most cannot after one or two. */
const lookLength = 32;
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
    const isSameText = seen.scored.memory.text === kept.scored.memory.text;
    const mayBeSame = isSameText || areNear(seen.vectors, kept.vectors, this.#duplicateGate);
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

interface SeenVector {
  readonly vector: Float32Array;
  /** After each look, the length of what is left of it: with another rest it makes at most the product of both. */
  readonly restLengths: Float64Array;
}

function seenVector(vector: Float32Array): SeenVector {
  const restLengths = new Float64Array(Math.ceil(vector.length / lookLength));
  let squares = 0;
  for (let look = restLengths.length - 1; look > 0; look--) {
    const end = Math.min(vector.length, (look + 1) * lookLength);
    for (let at = look * lookLength; at < end; at++) squares += (vector[at] as number) ** 2;
    restLengths[look - 1] = Math.sqrt(squares);
  }
  return { vector, restLengths };
}

/** Whether each of some vectors is near to one of the others. Without vectors nothing is. */
function areNear(some: readonly SeenVector[], others: readonly SeenVector[], gate: number): boolean {
  for (const one of some) {
    let isOneNear = false;
    for (let at = 0; at < others.length && !isOneNear; at++) isOneNear = isNear(one, others[at] as SeenVector, gate);
    if (!isOneNear) return false;
  }
  return some.length > 0;
}

/** Whether the cosine reaches the gate. Adds up as `cosineOfUnitVectors` does, and stops where it cannot any more. */
function isNear(left: SeenVector, right: SeenVector, gate: number): boolean {
  const { vector: one, restLengths: oneRest } = left;
  const { vector: other, restLengths: otherRest } = right;
  let sum = 0;
  for (let look = 0; look < oneRest.length; look++) {
    const end = Math.min(one.length, (look + 1) * lookLength);
    for (let at = look * lookLength; at < end; at++) sum += (one[at] as number) * (other[at] as number);
    if (sum + (oneRest[look] as number) * (otherRest[look] as number) + tolerance < gate) return false;
  }
  return sum >= gate;
}
