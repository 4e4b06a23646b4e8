import { fieldOf } from "@loci/model-endpoint";

export interface EmbeddingReply {
  /** In the order of the texts, as the model made them. */
  readonly vectors: readonly Float32Array[];
}

/**
 * Reads the body of an embeddings answer: vectors as lists of numbers or as base64 of little-endian float32. They are put
 * in the order of the texts, whichever order they come in.
 *
 * @param texts how many were sent
 * @returns a sentence, which quotes nothing of the answer, when it is not one vector for each text
 */
export function readEmbeddingReply(body: string, texts: number): EmbeddingReply | string {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return "Its answer is not JSON.";
  }
  const data = fieldOf(reply, "data");
  if (!Array.isArray(data)) return "Its answer holds no list of embeddings.";
  if (data.length !== texts) return `It answered with ${data.length} embeddings for ${texts} texts.`;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: texts });
  for (const [place, entry] of (data as readonly unknown[]).entries()) {
    // Some servers leave the index out.
    const index = fieldOf(entry, "index") ?? place;
    if (typeof index !== "number" || !(index in vectors) || vectors[index] !== undefined)
      return "Its answer does not say which embedding belongs to which text.";
    const vector = vectorOf(fieldOf(entry, "embedding"));
    if (vector === undefined) return "Its answer holds an embedding that is neither a list of numbers nor base64.";
    vectors[index] = vector;
  }
  return { vectors: vectors as Float32Array[] };
}

function vectorOf(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding))
    return embedding.every((value) => typeof value === "number") ? Float32Array.from(embedding) : undefined;
  if (typeof embedding !== "string") return undefined;
  const bytes = Buffer.from(embedding, "base64");
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}
