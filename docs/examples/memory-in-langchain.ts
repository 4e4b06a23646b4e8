// What the README of `@loci/langchain` shows: an agent that knows its user from earlier conversations.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { MemorySaver } from "@langchain/langgraph";
import { lociMiddleware } from "@loci/langchain";
import type { Loci } from "@loci/loci";
import { createAgent } from "langchain";
import { z } from "zod";

/** Who is speaking, as your application knows it. */
const contextSchema = z.object({ user: z.string(), chat: z.string() });

/** One for a process. */
export function makeAssistant(loci: Loci, model: BaseChatModel) {
  const memory = lociMiddleware({
    loci,
    contextSchema,
    conversation: ({ context: { user, chat } }) => ({ scope: `user:${user}`, session: chat }),
  });
  const checkpointer = new MemorySaver();
  const agent = createAgent({ model, systemPrompt: "You help.", middleware: [memory], checkpointer });
  return {
    ask: async (context: z.infer<typeof contextSchema>, question: string): Promise<string | undefined> => {
      const config = { context, configurable: { thread_id: context.chat } };
      const { messages } = await agent.invoke({ messages: [{ role: "user", content: question }] }, config);
      return messages.at(-1)?.text;
    },
    settled: () => memory.settled(), // before you close Loci
  };
}
