import { cosineOfUnitVectors } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { contentHashOf } from "../calls/content-hash.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";

/** Compares texts by their vectors: those of memories as they are recorded. What has none is like nothing. */
export async function cosinesOf(
  { ledger, embedding, space }: CaptureServices,
  { tenant, signal }: CaptureCall,
  texts: readonly string[],
  known: readonly StoredMemory[],
): Promise<(left: string, right: string) => number> {
  const vectors = new Map<string, Float32Array>();
  const wanted = [...new Set(texts)];
  if (wanted.length > 0 && known.length > 0) {
    const hashes = known.map(({ memory }) => contentHashOf(memory.text));
    const [made, recorded] = await Promise.all([
      embedding.documents(tenant, wanted, signal),
      ledger.embeddings(tenant, space, hashes, { signal }),
    ]);
    for (const [index, { memory }] of known.entries()) {
      const [vector] = recorded.get(hashes[index] as (typeof hashes)[number]) ?? [];
      if (vector !== undefined) vectors.set(memory.text, vector);
    }
    for (const [index, text] of wanted.entries()) {
      const [vector] = made?.[index] ?? [];
      if (vector !== undefined) vectors.set(text, vector);
    }
  }
  return (left, right) => {
    const [one, other] = [vectors.get(left), vectors.get(right)];
    return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
  };
}
