import { setTimeout } from "node:timers/promises";
import type { EmbeddingSpace, TenantId } from "@loci/domain";
import type { EmbeddingKind } from "@loci/embedding";
import type { TenantEmbedder } from "@loci/engine";

const dimensions = 32;

/** Vectors that share a direction for each shared word, so that what they are near to can be foretold. */
export class WordEmbedder implements TenantEmbedder {
  readonly space: EmbeddingSpace = { provider: "test", model: "words", dimensions, version: "1" };
  readonly maxInputTokens: number = 2_000;
  readonly relevanceWeight: number = 0.3;
  floors: { readonly relevance: number; readonly answer?: number } = { relevance: 0.2 };
  readonly gates: { readonly duplicate: number } = { duplicate: 1.1 };
  /** `fails` and `hangs` until set back. */
  state: "works" | "fails" | "hangs" = "works";
  calls: { readonly kind: EmbeddingKind; readonly texts: readonly string[] }[] = [];

  async embed(
    _tenant: TenantId,
    texts: readonly string[],
    { kind, signal }: { readonly kind: EmbeddingKind; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Float32Array[]> {
    this.calls.push({ kind, texts });
    if (this.state === "hangs") await setTimeout(60_000, undefined, { signal, ref: false });
    if (this.state === "fails") throw new Error("The embedder was told to fail.");
    return texts.map(vectorOf);
  }
}

export function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    let hash = 2166136261;
    for (const character of word) hash = Math.imul(hash ^ character.charCodeAt(0), 16777619) >>> 0;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
