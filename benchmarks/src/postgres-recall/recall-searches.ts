import { type EmbeddingSpace, type Filter, type NonEmpty, parseScope, tenantId } from "@loci/domain";
import type { CollectionId } from "@loci/store";
import { openPgvectorStore } from "@loci/store-pgvector";
import { randomNumbers } from "../data/random.ts";

export interface IndexedTenant {
  readonly space: EmbeddingSpace;
  /** Of the indexes. */
  readonly owner: string;
}

export interface RecallSearchesOptions extends IndexedTenant {
  readonly connectionString: string;
  readonly tenant: string;
  readonly collection: CollectionId;
  /** That it has in all. */
  readonly documents: number;
  readonly keepingPatience: number;
}

export interface RecallSearches extends AsyncDisposable {
  /** Asks the indexes of a scope what a recall asks: words and vectors, of procedures and of all else. */
  readonly recall: (scope: string, question: string) => Promise<void>;
}

const best = 200;
const procedures: Filter = { field: "category", operator: "equals", value: "procedure" };
const termsOfText = 16;
/** In so many texts each word of a question is said to be: it has no bearing on what a search costs. */
const shareOfTexts = 1 / 40;

/** The indexes of a store that has just been opened, and keeps nothing yet. */
export async function searchesOf(options: RecallSearchesOptions): Promise<RecallSearches> {
  const { connectionString, owner, space, collection, documents, keepingPatience } = options;
  const store = await openPgvectorStore({ connectionString, owner, keepingPatience, keptBytes: 2 ** 30 });
  const vectors = await store.vectorStore.openCollection(collection, space);
  const random = randomNumbers(5);
  const recall = async (scope: string, question: string): Promise<void> => {
    const terms = [...new Set(question.toLowerCase().match(/[a-z]{3,}/gu))] as unknown as NonEmpty<string>;
    const statistics = {
      documents,
      totalLength: termsOfText * documents,
      documentFrequencies: terms.map(() => Math.ceil(shareOfTexts * documents)),
    };
    const query = unitVector(random, space.dimensions);
    const own = { tenant: tenantId(options.tenant), scopes: [parseScope(scope)], limit: best } as const;
    await Promise.all(
      [procedures, { not: procedures }].flatMap((where) => [
        store.textIndex.search({ ...own, where, terms, statistics }),
        vectors.search({ ...own, where, vectors: [query], bounds: true }),
      ]),
    );
  };
  return { recall, [Symbol.asyncDispose]: () => store.close() };
}

function unitVector(random: () => number, dimensions: number): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => random() - 0.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
