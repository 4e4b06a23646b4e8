import type { Bm25Statistics } from "@loci/domain";
import type { RecallCandidate } from "./candidate.ts";

/** Share of all texts up to which a term is rare. */
const rareShare = 0.001;
/** So many texts may hold a rare term however few there are. */
const leastRareDocuments = 2;

/**
 * Which terms of the union are rare, as indexes into it: in at most max(2, 0.1%) of the documents. Whoever asks for a
 * rare word, such as a name or a ticket, means the memories that hold it.
 */
export function rareTerms({ documents, documentFrequencies }: Bm25Statistics): readonly number[] {
  const most = Math.max(leastRareDocuments, documents * rareShare);
  return [...documentFrequencies.keys()].filter((term) => (documentFrequencies[term] as number) <= most);
}

/**
 * How a candidate gets past the relevance floor whatever its relevance: by a rare term, else by a tag, else not at all
 * (`undefined`).
 */
export function wayPastFloor(
  { frequencies, foundByTag }: RecallCandidate,
  rare: readonly number[],
): "relevance" | "tag" | undefined {
  if (rare.some((term) => (frequencies[term] ?? 0) > 0)) return "relevance";
  return foundByTag === true ? "tag" : undefined;
}
