import { checkLayout } from "./check-layout.ts";
import type { Layout } from "./layout.ts";

/**
 * What the agent always knows, the few procedures and memories this question calls for, then the task and as much of the
 * conversation as there is room for.
 */
export const threeTier: Layout = checkLayout({
  name: "threeTier",
  mode: "sequential",
  memoryForm: "list",
  sections: [
    { name: "core-memory", source: "coreMemory", shortening: "never", rank: 1 },
    {
      name: "archival-memories",
      source: "knowledge",
      shortening: "items",
      rank: { conversation: 4, rag: 3 },
      max: 1400,
      maxItems: 15,
      maxProcedures: 10,
    },
    { name: "task", source: "task", shortening: "sentences", rank: 2 },
    { name: "history", source: "history", shortening: "history", rank: { conversation: 3, rag: 4 } },
  ],
});
