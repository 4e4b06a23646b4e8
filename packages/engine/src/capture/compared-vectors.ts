import type { StoredMemory } from "@loci/ledger";
import { contentHashOf } from "../calls/content-hash.ts";
import type { CaptureCall, CaptureServices } from "./capture-services.ts";
import type { TextVectors } from "./reading/found-statements.ts";

/** The vectors by which texts are compared: those of memories as they are recorded. */
export async function comparedVectors(
  { ledger, embedding, space }: CaptureServices,
  { tenant, signal }: CaptureCall,
  texts: readonly string[],
  known: readonly StoredMemory[],
): Promise<TextVectors> {
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
  return inOneStretch(vectors);
}

function inOneStretch(vectors: ReadonlyMap<string, Float32Array>): TextVectors {
  let length = 0;
  for (const vector of vectors.values()) length += vector.length;
  const values = new Float32Array(length);
  let used = 0;
  for (const vector of vectors.values()) {
    values.set(vector, used);
    used += vector.length;
  }
  return { texts: [...vectors.keys()], values };
}
