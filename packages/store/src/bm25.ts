import type { TextStatistics } from "./text-index.ts";

const saturation = 1.2;
const lengthShare = 0.75;

/** Scores a row by how often each asked-for term stands in it (in the order asked) and how many terms it has. */
export type Bm25 = (frequencies: ArrayLike<number>, length: number) => number;

/**
 * The ranking of text indexes: Okapi BM25 with k1 = 1.2, b = 0.75 and the inverse document frequency
 * ln(1 + (N − n + 0.5) / (n + 0.5)), which is never negative; terms are added in the order asked.
 *
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the inverse
 * document frequency of Lucene.
 */
export function bm25(statistics: TextStatistics): Bm25 {
  const { documents, totalLength } = statistics;
  const averageLength = documents === 0 || totalLength === 0 ? 1 : totalLength / documents;
  const weights = statistics.documentFrequencies.map((rows) => Math.log(1 + (documents - rows + 0.5) / (rows + 0.5)));
  return (frequencies, length) => {
    const penalty = saturation * (1 - lengthShare + (lengthShare * length) / averageLength);
    let score = 0;
    for (let index = 0; index < weights.length; index++) {
      const frequency = frequencies[index] as number;
      if (frequency > 0) score += ((weights[index] as number) * frequency * (saturation + 1)) / (frequency + penalty);
    }
    return score;
  };
}
