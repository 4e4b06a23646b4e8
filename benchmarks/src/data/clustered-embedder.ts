import type { Embedder } from "@loci/loci";
import type { ClusteredQuery } from "./clustered-memories.ts";
import type { ClusteredVectorFile } from "./clustered-vector-file.ts";
import type { ClusteredVectors } from "./clustered-vectors.ts";

export interface ClusteredEmbedderOptions {
  readonly dimensions: number;
  readonly file: ClusteredVectorFile;
  readonly vectors: ClusteredVectors;
  readonly queries: readonly ClusteredQuery[];
  /** Also embeds each text, for what that costs; its vectors are not used. */
  readonly alongside?: Embedder | undefined;
}

/** Answers with the generator's vectors: of memory 7 for a text that begins with `m7`, of question 7 with `q7`. */
export function clusteredEmbedder(options: ClusteredEmbedderOptions): Embedder {
  const { dimensions, file, vectors, queries, alongside } = options;
  const questions = new Map<number, Float32Array>();
  const questionVector = (number: number): Float32Array => {
    let vector = questions.get(number);
    const query = queries[number];
    if (query === undefined) throw new RangeError(`there is no question ${number}`);
    if (vector === undefined) questions.set(number, (vector = vectors.query(query, number)));
    return vector.slice();
  };
  return {
    space: { provider: "benchmark", model: "clustered", dimensions, version: "1" },
    maxBatch: 1000,
    maxInputTokens: 8192,
    relevanceWeight: 0.7,
    floors: { relevance: 0.05 },
    gates: { duplicate: 0.97 },
    embed: async (texts, call) => {
      await alongside?.embed(texts, call);
      return texts.map((text) => {
        const [, kind, number] = /^([mq])(\d+)/u.exec(text) ?? [];
        if (number === undefined) throw new RangeError("a clustered text begins with m or q and its number");
        return kind === "m" ? file.read(Number(number), 1) : questionVector(Number(number));
      });
    },
    close: async () => alongside?.close(),
  };
}
