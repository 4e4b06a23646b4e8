import { cosineOfUnitVectors } from "@loci/domain";
import type { ScoredCandidate } from "./candidate.ts";

/**
 * Does a kept memory already say what another one says: the same text, or for every vector of the other one has a
 * vector with at least this cosine?
 *
 * Text in several chunks has several vectors, so a long text that shares one chunk with another one is no duplicate.
 */
export function isNearDuplicate(other: ScoredCandidate, kept: ScoredCandidate, duplicateGate: number): boolean {
  if (other.memory.text === kept.memory.text) return true;
  const { vectors = [] } = other.candidate;
  const { vectors: keptVectors = [] } = kept.candidate;
  return (
    vectors.length > 0 &&
    vectors.every((vector) => keptVectors.some((known) => cosineOfUnitVectors(vector, known) >= duplicateGate))
  );
}
