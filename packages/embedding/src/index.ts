export { CachedEmbedder, type CachedEmbedderOptions } from "./cached-embedder.ts";
export { chunkText } from "./chunk-text.ts";
export * from "./embedder.ts";
export * from "./embedding-cache-layer.ts";
export { openLocalEmbedder } from "./local-embedder.ts";
export { openAiCompatibleEmbedder } from "./openai-compatible-embedder.ts";
export type * from "./openai-compatible-embedder-options.ts";
