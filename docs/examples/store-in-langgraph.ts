// What the README of `@loci/langchain` shows of its store: a graph whose tools keep things for each user.
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { tool } from "@langchain/core/tools";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { LociStore } from "@loci/langchain/store";
import type { Loci } from "@loci/loci";
import { createAgent } from "langchain";
import { z } from "zod";

/** Who is speaking, as your application put it into the call. */
function userOf({ configurable }: LangGraphRunnableConfig): string {
  const user: unknown = configurable?.["user"];
  if (typeof user !== "string") throw new Error("Nobody is signed in.");
  return user;
}

const note = tool(
  async ({ about, text }, config: LangGraphRunnableConfig) => {
    await config.store?.put(["notes", userOf(config)], about, { text });
    return "Noted.";
  },
  { name: "note", description: "Keeps a note.", schema: z.object({ about: z.string(), text: z.string() }) },
);

const find = tool(
  async ({ query }, config: LangGraphRunnableConfig) => {
    const items = await config.store?.search(["notes", userOf(config)], { query, limit: 5 });
    return JSON.stringify(items?.map(({ key, value }) => ({ about: key, ...value })));
  },
  { name: "find", description: "Finds notes.", schema: z.object({ query: z.string() }) },
);

export function makeNotesAgent(loci: Loci, model: BaseChatModel) {
  return createAgent({ model, tools: [note, find], store: new LociStore({ loci, scope: "agent:notes" }) });
}
