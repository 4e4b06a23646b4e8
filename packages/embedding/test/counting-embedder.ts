import type { Embedder } from "@loci/embedding";
import { deterministicEmbedder } from "@loci/embedding/testing";

/** An embedder that notes what it was asked, and answers when it is told to. */
export interface CountingEmbedder extends Embedder {
  readonly batches: (readonly string[])[];
  readonly signals: AbortSignal[];
  /** Awaited before each answer. */
  before: () => Promise<void>;
}

export function countingEmbedder(maxBatch = 100): CountingEmbedder {
  const inner = deterministicEmbedder(16);
  const batches: (readonly string[])[] = [];
  const signals: AbortSignal[] = [];
  const embedder: CountingEmbedder = {
    ...inner,
    maxBatch,
    batches,
    signals,
    before: async () => {},
    async embed(texts, options) {
      batches.push(texts);
      if (options.signal) signals.push(options.signal);
      await embedder.before();
      return inner.embed(texts, options);
    },
  };
  return embedder;
}

export async function vectorOf(text: string): Promise<Float32Array> {
  const [vector] = await deterministicEmbedder(16).embed([text], { kind: "query" });
  return vector!;
}
