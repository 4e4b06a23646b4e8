import { cosineOfUnitVectors } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/** A first look at so many numbers of two vectors tells most that are not near apart. */
const lookLength = 256;
/** More than sums of products are off by. */
const tolerance = 1e-9;

/**
 * What has been kept, to tell what only says the same: the same text, or for every vector of the other one a vector with
 * at least the gate's cosine.
 *
 * Text in several chunks has several vectors, so a long text that shares one chunk with another one is no duplicate.
 */
export class KeptTexts {
  readonly #duplicateGate: number;
  readonly #kept: SeenCandidate[] = [];

  /** @param duplicateGate cosine from which two texts say the same thing */
  constructor(duplicateGate: number) {
    this.#duplicateGate = duplicateGate;
  }

  /** Keeps it, unless there is one that it says the same as: that one is returned. */
  keep(scored: ScoredCandidate): ScoredCandidate | undefined {
    const seen: SeenCandidate = { scored, vectors: (scored.candidate.vectors ?? []).map(seenVector) };
    const twin = this.#kept.find((kept) => this.#isSame(seen, kept));
    if (twin === undefined) this.#kept.push(seen);
    return twin?.scored;
  }

  #isSame({ scored, vectors }: SeenCandidate, kept: SeenCandidate): boolean {
    if (scored.memory.text === kept.scored.memory.text) return true;
    return (
      vectors.length > 0 &&
      vectors.every((vector) => kept.vectors.some((known) => isNear(vector, known, this.#duplicateGate)))
    );
  }
}

interface SeenCandidate {
  readonly scored: ScoredCandidate;
  readonly vectors: readonly SeenVector[];
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
