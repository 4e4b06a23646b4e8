import { analyseQuery, analyseText, termCount, type TermFrequencies } from "@loci/core";
import { Bm25, cosineOfUnitVectors } from "@loci/domain";
import type { Embedder } from "@loci/embedding";

/**
 * What is easily had without Loci's rules: every text is scanned, and BM25 (as a share of the best) and cosine make a score
 * in equal parts. Nothing is left out, and time counts for nothing.
 */
export class PlainSearch {
  readonly #terms: readonly TermFrequencies[];
  readonly #vectors: readonly Float32Array[];
  readonly #embedder: Embedder;

  private constructor(terms: readonly TermFrequencies[], vectors: readonly Float32Array[], embedder: Embedder) {
    this.#terms = terms;
    this.#vectors = vectors;
    this.#embedder = embedder;
  }

  static async over(texts: readonly string[], embedder: Embedder): Promise<PlainSearch> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += embedder.maxBatch)
      vectors.push(...(await embedder.embed(texts.slice(start, start + embedder.maxBatch), { kind: "document" })));
    return new PlainSearch(texts.map(analyseText), vectors, embedder);
  }

  /** The score of each of the first `known` texts, in their order. */
  async scores(question: string, known = this.#terms.length): Promise<readonly number[]> {
    const [query] = await this.#embedder.embed([question], { kind: "query" });
    return textShares(question, this.#terms.slice(0, known)).map((share, index) => {
      const vector = this.#vectors[index];
      return 0.5 * share + 0.5 * (query && vector ? Math.max(0, cosineOfUnitVectors(query, vector)) : 0);
    });
  }

  /** The texts as positions, best first; equal ones in their order. */
  async ranking(question: string): Promise<readonly number[]> {
    return bestFirst(await this.scores(question));
  }
}

/** The positions of scores, the highest first; equal ones in their order. */
export function bestFirst(scores: readonly number[]): readonly number[] {
  return scores
    .map((score, index) => ({ score, index }))
    .toSorted((left, right) => right.score - left.score || left.index - right.index)
    .map(({ index }) => index);
}

/** BM25 of each text over the best. */
export function textShares(question: string, texts: readonly TermFrequencies[]): readonly number[] {
  const terms = analyseQuery(question);
  const lengths = texts.map(termCount);
  const ranking = new Bm25({
    documents: texts.length,
    totalLength: lengths.reduce((sum, length) => sum + length, 0),
    documentFrequencies: terms.map((term) => texts.filter((text) => text.has(term)).length),
  });
  const scores = texts.map((text, index) =>
    ranking.score(
      terms.map((term) => text.get(term) ?? 0),
      lengths[index] as number,
    ),
  );
  const best = scores.reduce((most, score) => Math.max(most, score), 0);
  return scores.map((score) => (best > 0 ? score / best : 0));
}
