/** Numbers over all texts that can be found. */
export interface Bm25Statistics {
  /** How many texts there are. */
  readonly documents: number;
  /** Sum of their lengths, in terms. */
  readonly totalLength: number;
  /** In how many of them each asked-for term stands, in the order asked. */
  readonly documentFrequencies: readonly number[];
}

/** How fast more of the same word stops counting. */
const k1 = 1.2;
/** How far a long text is held against its words. */
const b = 0.75;

/**
 * What each asked-for term adds to a text's BM25 score: idf · f · (k1 + 1) / (f + k1 · (1 − b + b · length / average)),
 * with idf = ln(1 + (N − df + 0.5) / (df + 0.5)), which is never negative, k1 = 1.2 and b = 0.75.
 *
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the inverse
 * document frequency of Lucene.
 */
export class Bm25 {
  readonly #inverseFrequencies: Float64Array;
  readonly #averageLength: number;

  constructor(statistics: Bm25Statistics) {
    const { documents, totalLength, documentFrequencies } = statistics;
    this.#averageLength = documents === 0 || totalLength === 0 ? 1 : totalLength / documents;
    this.#inverseFrequencies = Float64Array.from(documentFrequencies, (found) =>
      Math.log(1 + (documents - found + 0.5) / (found + 0.5)),
    );
  }

  /** The share of each term, in the order asked. */
  termScores(frequencies: ArrayLike<number>, length: number): Float64Array {
    const penalty = k1 * (1 - b + (b * length) / this.#averageLength);
    return this.#inverseFrequencies.map((weight, index) => {
      const frequency = frequencies[index] ?? 0;
      return frequency > 0 ? (weight * frequency * (k1 + 1)) / (frequency + penalty) : 0;
    });
  }
}

/**
 * BM25 of one text.
 *
 * @param frequencies how often each asked-for term stands in it, in the order of the statistics
 * @param length how many terms it has, repetitions counted
 */
export function bm25Score(frequencies: ArrayLike<number>, length: number, statistics: Bm25Statistics): number {
  let score = 0;
  for (const share of new Bm25(statistics).termScores(frequencies, length)) score += share;
  return score;
}
