export type * from "./language-model.ts";
export * from "./openai-compatible-model.ts";
export * from "./openai-compatible-model-options.ts";
export * from "./parse-json-reply.ts";
