import { checkLayout } from "./check-layout.ts";
import type { Layout } from "./layout.ts";

/**
 * An agent's folder as Markdown, in 16,000 tokens of a quarter of a character count each: who it is, what its team wants,
 * what happened this week, what it remembers. Earlier sections are served first.
 */
export const layeredFiles: Layout = checkLayout({
  name: "layeredFiles",
  rendering: "markdown",
  mode: "sequential",
  totalTokens: 16_000,
  tokenizer: "approx",
  sections: [
    { name: "identity", source: "file:IDENTITY.md", shortening: "never" },
    { name: "instructions", source: "file:INSTRUCTIONS.md", shortening: "never" },
    { name: "team-goals", source: "teamFile:GOALS.md", shortening: "characters" },
    { name: "team-context", source: "teamFile:CONTEXT.md", shortening: "characters" },
    { name: "team-rules", source: "teamFile:RULES.md", shortening: "characters" },
    { name: "recent-activity", source: "days", shortening: "characters", max: 3000 },
    { name: "team-knowledge", source: "teamMemories", shortening: "items", max: 2000, maxItems: 5 },
    { name: "personal-memories", source: "personalMemories", shortening: "items", max: 2000, maxItems: 5 },
    { name: "knowledge-base", source: "file:KNOWLEDGE.md", shortening: "characters", max: 2000 },
  ],
});
