import type { Layout } from "./layout.ts";

/** Five sections with a tag each: what never changes first, what was said and recalled last. */
export const memoryBlocks: Layout = {
  name: "memoryBlocks",
  sections: [
    { name: "system", source: "system", shortening: "never", ranks: { conversation: 1, rag: 1 } },
    { name: "project", source: "project", shortening: "sentences", ranks: { conversation: 2, rag: 2 } },
    { name: "task", source: "task", shortening: "sentences", ranks: { conversation: 3, rag: 3 } },
    { name: "history", source: "history", shortening: "history", ranks: { conversation: 4, rag: 5 } },
    { name: "knowledge", source: "knowledge", shortening: "items", ranks: { conversation: 5, rag: 4 } },
  ],
};
