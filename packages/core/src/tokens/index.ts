export * from "./approx-token-counter.ts";
export * from "./estimated-token-counter.ts";
export { tokenCounterFromHuggingFace } from "./hugging-face/hugging-face-counter.ts";
export * from "./model-registry.ts";
export type * from "./resolved-model.ts";
export * from "./token-count-cache.ts";
export type * from "./token-counter.ts";
export * from "./tokenizer.ts";
