/** Numbers over all texts that can be found. */
export interface Bm25Statistics {
  /** How many texts there are. */
  readonly documents: number;
  /** Sum of their lengths, in terms. */
  readonly totalLength: number;
  /** In how many of them each asked-for term stands, in the order asked. */
  readonly documentFrequencies: readonly number[];
}

/** `k1`: how fast more of the same word stops counting. `b`: how far a long text is held against its words. */
export const bm25Parameters = { k1: 1.2, b: 0.75 } as const;

const { k1, b } = bm25Parameters;

/**
 * The ranking of texts by words that every index and every score agrees on: Okapi BM25. A term adds
 * idf · f · (k1 + 1) / (f + k1 · (1 − b + b · length / average length)), with idf = ln(1 + (N − n + 0.5) / (n + 0.5)),
 * which is never negative, k1 = 1.2 and b = 0.75.
 *
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the inverse
 * document frequency of Lucene.
 */
export class Bm25 {
  /** The idf of each term, in the order of the statistics. */
  readonly inverseFrequencies: Readonly<Float64Array>;
  readonly averageLength: number;

  /** @param weights of the terms instead of their idf, in the order of the statistics */
  constructor(statistics: Bm25Statistics, weights: Readonly<Float64Array> = inverseDocumentFrequencies(statistics)) {
    const { documents, totalLength } = statistics;
    this.averageLength = documents === 0 || totalLength === 0 ? 1 : totalLength / documents;
    this.inverseFrequencies = weights;
  }

  /**
   * The score of one text, its terms added in the order asked.
   *
   * @param frequencies how often each asked-for term stands in it, in the order of the statistics
   * @param length how many terms it has, repetitions counted
   */
  score(frequencies: ArrayLike<number>, length: number): number {
    const penalty = this.#penalty(length);
    let score = 0;
    for (let term = 0; term < this.inverseFrequencies.length; term++)
      score += this.#termScore(term, frequencies[term] ?? 0, penalty);
    return score;
  }

  /** What each term adds to {@link score}, in the order asked. @param scores where to write it */
  termScores(
    frequencies: ArrayLike<number>,
    length: number,
    scores: Float64Array = new Float64Array(this.inverseFrequencies.length),
  ): Float64Array {
    const penalty = this.#penalty(length);
    for (let term = 0; term < scores.length; term++)
      scores[term] = this.#termScore(term, frequencies[term] ?? 0, penalty);
    return scores;
  }

  /** What one term adds to {@link score}: for indexes that add up scores term by term, in the order asked. */
  termScore(term: number, frequency: number, length: number): number {
    return this.#termScore(term, frequency, this.#penalty(length));
  }

  #penalty(length: number): number {
    return k1 * (1 - b + (b * length) / this.averageLength);
  }

  #termScore(term: number, frequency: number, penalty: number): number {
    if (frequency === 0) return 0;
    return ((this.inverseFrequencies[term] as number) * frequency * (k1 + 1)) / (frequency + penalty);
  }
}

/** How rare each term is: ln(1 + (N − n + 0.5) / (n + 0.5)) of those that n of N texts hold. In the order of the statistics. */
export function inverseDocumentFrequencies({ documents, documentFrequencies }: Bm25Statistics): Float64Array {
  return Float64Array.from(documentFrequencies, (found) => Math.log(1 + (documents - found + 0.5) / (found + 0.5)));
}
