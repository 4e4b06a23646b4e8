import type { Bm25Statistics } from "@loci/domain";
import type { RecallCandidate } from "./candidate.ts";

/** Share of all texts up to which a term is rare. */
const rareShare = 0.001;
/** So many texts may hold a rare term however few there are. */
const leastRareDocuments = 2;

/**
 * Tells for each term of the union whether it is rare: in at most max(2, 0.1%) of the documents. Whoever asks for a
 * rare word, such as a name or a ticket, means the memories that hold it.
 */
export function rareTerms({ documents, documentFrequencies }: Bm25Statistics): readonly boolean[] {
  const most = Math.max(leastRareDocuments, documents * rareShare);
  return documentFrequencies.map((found) => found <= most);
}

/**
 * How a candidate gets past the relevance floor: by its relevance or a rare term, else by a tag, else not at all
 * (`undefined`).
 */
export function passesFloor(
  candidate: RecallCandidate,
  relevance: number,
  floor: number,
  rare: readonly boolean[],
): "relevance" | "tag" | undefined {
  if (relevance >= floor && relevance > 0) return "relevance";
  if (rare.some((isRare, term) => isRare && (candidate.frequencies[term] ?? 0) > 0)) return "relevance";
  return candidate.foundByTag === true ? "tag" : undefined;
}
