import { checkLayout } from "./check-layout.ts";
import type { Layout } from "./layout.ts";

/** Five sections with a tag each: what never changes first, what was said and recalled last. */
export const memoryBlocks: Layout = checkLayout({
  name: "memoryBlocks",
  sections: [
    { name: "system", source: "system", shortening: "never", rank: 1 },
    { name: "project", source: "project", shortening: "sentences", rank: 2 },
    { name: "task", source: "task", shortening: "sentences", rank: 3 },
    { name: "history", source: "history", shortening: "history", rank: { conversation: 4, rag: 5 } },
    { name: "knowledge", source: "knowledge", shortening: "items", rank: { conversation: 5, rag: 4 } },
  ],
});
