export * from "./embedder.ts";
