export * from "./analyse-text.ts";
export * from "./fold-text.ts";
