export { openMemoryTextIndex } from "./memory-text-index.ts";
export { openMemoryVectorStore } from "./memory-vector-store.ts";
