export * from "./analyse-text.ts";
export * from "./bm25.ts";
export * from "./fold-text.ts";
