import { createHash } from "node:crypto";
import { throwIfAborted } from "@loci/domain";
import { checkBatch, checkOpen } from "../check-call.ts";
import type { Embedder } from "../embedder.ts";

/**
 * A fast embedder for tests: every word counts for one of `dimensions` axes, so that texts with words in common are near
 * each other. Knows no meaning.
 *
 * @param dimensions default 64
 */
export function deterministicEmbedder(dimensions = 64): Embedder {
  const maxBatch = 100;
  let isClosed = false;
  return {
    space: { provider: "testing", model: "words", dimensions, version: "1" },
    maxBatch,
    maxInputTokens: 1_000,
    relevanceWeight: 0.3,
    floors: { relevance: 0.05 },
    gates: { duplicate: 0.97 },
    async embed(texts, { signal }) {
      checkOpen(isClosed);
      throwIfAborted(signal);
      checkBatch(texts, maxBatch);
      return texts.map((text) => wordVector(text, dimensions));
    },
    async close() {
      isClosed = true;
    },
  };
}

function wordVector(text: string, dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = createHash("sha256").update(word).digest();
    const axis = hash.readUInt32LE(0) % dimensions;
    sums[axis] = (sums[axis] as number) + ((hash[4] as number) % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => (length === 0 ? 0 : sum / length));
}
