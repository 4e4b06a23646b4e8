import type { Embedder } from "@loci/embedding";
import { openAiCompatibleEmbedder, openLocalEmbedder } from "@loci/embedding";

/** Options of the command line that choose the embedder, as `parseArgs` takes them. */
export const embedderOptions = {
  /** Base URL of a server with OpenAI's embeddings. Absent: the local embedder. */
  "embedder-url": { type: "string" },
  "embedder-model": { type: "string" },
  dimensions: { type: "string" },
  "max-input-tokens": { type: "string" },
  "query-prefix": { type: "string" },
  "document-prefix": { type: "string" },
  /** Instead of what the embedder says of itself: the weight to try, 0 to 1. */
  "relevance-weight": { type: "string" },
} as const;

export type EmbedderArguments = { readonly [Name in keyof typeof embedderOptions]?: string | undefined };

/**
 * The embedder that the command line names: the local one, or a model behind a URL, whose key stands in the environment
 * as `LOCI_EMBEDDER_KEY` if it needs one.
 *
 * @throws LociError `INVALID_CONFIGURATION`
 */
export async function chosenEmbedder(values: EmbedderArguments): Promise<Embedder> {
  const weight = numberOf(values["relevance-weight"]);
  const embedder = await namedEmbedder(values);
  return weight === undefined ? embedder : { ...embedder, relevanceWeight: weight };
}

async function namedEmbedder(values: EmbedderArguments): Promise<Embedder> {
  const baseUrl = values["embedder-url"];
  if (baseUrl === undefined) return openLocalEmbedder();
  return openAiCompatibleEmbedder({
    baseUrl,
    apiKey: process.env["LOCI_EMBEDDER_KEY"],
    model: values["embedder-model"] ?? "",
    dimensions: numberOf(values.dimensions) ?? Number.NaN,
    maxInputTokens: numberOf(values["max-input-tokens"]),
    prefixes: { query: values["query-prefix"], document: values["document-prefix"] },
  });
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
