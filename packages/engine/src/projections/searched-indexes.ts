import { type Degradation, LociError, type Sequence } from "@loci/domain";
import type { TextIndex, VectorCollection } from "@loci/store";
import type { IndexServices } from "./index-services.ts";

/** What a recall asks of the indexes. */
export interface SearchedIndexes {
  readonly vectors: Pick<VectorCollection, "checkpoint" | "search">;
  readonly textIndex: Pick<TextIndex, "statistics" | "search" | "frequencies">;
  /** Whether what the vectors did not find is no nearer than what they found. Absent: it is. */
  readonly hasVectors?: (() => boolean) | undefined;
}

/** What the indexes' rows are found and read with. */
export type SearchServices = Omit<IndexServices, "vectors" | "textIndex"> & SearchedIndexes;

/** An index that is not there is behind nothing: no change is read for its sake. */
const upToDate: Sequence = Number.MAX_SAFE_INTEGER;

/**
 * The indexes for one recall that goes on with one of them when the other fails. What fails once is asked no more, and
 * answers as if it were empty; when both fail, the recall does, with the error of the second.
 */
export class FailingIndexes {
  readonly #failed = new Set<Degradation>();
  readonly #signal: AbortSignal;

  /** @param signal of the call: when it is aborted, that is no failure of an index */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** In alphabetical order. */
  get degraded(): readonly Degradation[] {
    return [...this.#failed].toSorted();
  }

  get hasVectors(): boolean {
    return !this.#failed.has("VECTOR_INDEX_UNAVAILABLE");
  }

  get hasWords(): boolean {
    return !this.#failed.has("TEXT_INDEX_UNAVAILABLE");
  }

  over(services: IndexServices): SearchServices {
    const { vectors, textIndex } = services;
    const nearness = <Answer>(ask: () => Promise<Answer>, without: Answer): Promise<Answer> =>
      this.#answer("VECTOR_INDEX_UNAVAILABLE", ask, without);
    const words = <Answer>(ask: () => Promise<Answer>, without: Answer): Promise<Answer> =>
      this.#answer("TEXT_INDEX_UNAVAILABLE", ask, without);
    return {
      ...services,
      hasVectors: () => this.hasVectors,
      vectors: {
        checkpoint: (tenant) => nearness(() => vectors.checkpoint(tenant), upToDate),
        search: (request, call) => nearness(() => vectors.search(request, call), []),
      },
      textIndex: {
        statistics: (tenant, terms, call) =>
          words(() => textIndex.statistics(tenant, terms, call), {
            documents: 0,
            totalLength: 0,
            documentFrequencies: terms.map(() => 0),
            checkpoint: upToDate,
          }),
        search: (request, call) => words(() => textIndex.search(request, call), []),
        frequencies: (tenant, refs, terms, call) => words(() => textIndex.frequencies(tenant, refs, terms, call), []),
      },
    };
  }

  async #answer<Answer>(reason: Degradation, ask: () => Promise<Answer>, without: Answer): Promise<Answer> {
    if (this.#failed.has(reason)) return without;
    try {
      return await ask();
    } catch (error) {
      if (this.#signal.aborted || isNoFailure(error)) throw error;
      this.#failed.add(reason);
      if (!this.hasVectors && !this.hasWords) throw error;
      return without;
    }
  }
}

/** What the caller asked for wrongly, or the end of the engine: another index would say no better. */
function isNoFailure(error: unknown): boolean {
  if (!LociError.is(error)) return false;
  return error.code === "INVALID_ARGUMENT" || error.code === "UNSUPPORTED" || error.reason === "CLOSED";
}
