import { cosineOfUnitVectors } from "@loci/domain";
import type { Embedder } from "@loci/embedding";

/** Embeds texts once, and compares any two of them. Of a text that was not embedded the cosine is 0. */
export async function cosinesOf(
  texts: readonly string[],
  using: Embedder,
): Promise<(left: string, right: string) => number> {
  const vectors = new Map<string, Float32Array>();
  for (let start = 0; start < texts.length; start += using.maxBatch) {
    const batch = texts.slice(start, start + using.maxBatch);
    const made = await using.embed(batch, { kind: "document" });
    for (const [index, text] of batch.entries()) vectors.set(text, made[index] as Float32Array);
  }
  return (left, right) => {
    const [one, other] = [vectors.get(left), vectors.get(right)];
    return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
  };
}
