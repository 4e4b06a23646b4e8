import { setTimeout } from "node:timers/promises";
import { type Embedder, type EmbeddingSpace, LociError } from "@loci/loci";

/** An embedder whose vectors depend on its name, and which counts what it embeds. */
export class WordEmbedder implements Embedder {
  readonly space: EmbeddingSpace;
  readonly maxBatch: number = 64;
  readonly maxInputTokens: number = 1_000;
  readonly relevanceWeight: number = 0.5;
  readonly floors: Embedder["floors"] = { relevance: 0.05 };
  readonly gates: Embedder["gates"] = { duplicate: 1.1 };
  documents = 0;
  queries = 0;
  failAfter = Infinity;

  constructor(model: string, dimensions: number) {
    this.space = { provider: "test", model, dimensions, version: "1" };
  }

  async embed(texts: readonly string[], { kind }: { readonly kind: string }): Promise<readonly Float32Array[]> {
    await setTimeout(0);
    if (this.documents >= this.failAfter)
      throw new LociError("EMBEDDER_UNAVAILABLE", { message: "The test's embedder has had enough." });
    if (kind === "document") this.documents += texts.length;
    else this.queries += texts.length;
    return texts.map((text) => {
      const vector = new Float32Array(this.space.dimensions);
      for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
        let hash = this.space.dimensions;
        for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % 65_521;
        const place = hash % vector.length;
        vector[place] = (vector[place] ?? 0) + 1;
      }
      const length = Math.hypot(...vector);
      return length === 0 ? vector : vector.map((value) => value / length);
    });
  }

  async close(): Promise<void> {}
}
