import type { Embedder } from "@loci/loci";
import { randomNumbers } from "../data/random.ts";

const dimensions = 256;

/** Gives every text a vector of its own, which takes next to nothing: what is measured is what tenants cost. */
export function numberedEmbedder(): Embedder {
  return {
    space: { provider: "benchmark", model: "numbered", dimensions, version: "1" },
    maxBatch: 1000,
    maxInputTokens: 8192,
    relevanceWeight: 0.7,
    floors: { relevance: 0.05 },
    gates: { duplicate: 0.97 },
    embed: async (texts) => texts.map(vectorOf),
    close: async () => undefined,
  };
}

function vectorOf(text: string): Float32Array {
  let seed = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) seed = Math.imul(seed ^ text.charCodeAt(place), 0x01000193) >>> 0;
  const next = randomNumbers(seed);
  const vector = Float32Array.from({ length: dimensions }, () => next() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
