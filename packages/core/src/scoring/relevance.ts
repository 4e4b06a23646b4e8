/**
 * How well a memory answers a question, 0 to 1: `w · max(0, cosine) + (1 − w) · text`.
 *
 * The weight is the embedder's own, measured one: equal weights with a weak embedder find less than text alone.
 *
 * @param cosine cosine of the question and the memory; `undefined` when one of them has no vector, and then w is 0
 * @param textShare BM25 of the memory as a share of the best among the candidates, 0 to 1
 * @param relevanceWeight w, 0 to 1
 */
export function relevance(cosine: number | undefined, textShare: number, relevanceWeight: number): number {
  if (cosine === undefined) return textShare;
  // A cosine of unit vectors may round to a little over 1.
  return relevanceWeight * Math.min(1, Math.max(0, cosine)) + (1 - relevanceWeight) * textShare;
}
