// What `packages/anthropic/README.md` shows: a model that keeps files for itself.
import type Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { lociMemory } from "@loci/anthropic";
import type { Loci } from "@loci/loci";

/** Answers a user. What the model writes into its files waits until a person approves it. */
export async function answer(loci: Loci, client: Anthropic, request: { user: string; question: string }) {
  const memory = lociMemory({ loci, owner: `user:${request.user}` });
  const answered = await client.beta.messages.toolRunner({
    model: "claude-sonnet-5-5",
    max_tokens: 1024,
    tools: [betaMemoryTool(memory)],
    messages: [{ role: "user", content: request.question }],
  });
  return answered.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
