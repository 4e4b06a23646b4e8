import { agentTools, type Conversation, readConversation } from "@loci/agent";
import type { Loci } from "@loci/domain";
import { jsonSchema, type Tool, tool } from "ai";

export interface LociToolsOptions {
  readonly loci: Loci;
  /** Who speaks, never by what the model says: make the tools for each request, or give a function that knows the request. */
  readonly conversation: Conversation | (() => Conversation | undefined | Promise<Conversation | undefined>);
}

/** The names of the tools. */
export type LociToolName = "recall" | "remember" | "view_blocks" | "edit_block";

export type LociTools = Record<LociToolName, Tool<unknown, string>>;

/** Tools with which a model recalls, remembers, and proposes changes of blocks. Spread those you want into `tools`. */
export function lociTools({ loci, conversation }: LociToolsOptions): LociTools {
  const entries = agentTools.map(({ name, description, inputSchema, run }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]),
      execute: async (input, { toolCallId: requestId, abortSignal: signal }) => {
        const given = typeof conversation === "function" ? await conversation() : conversation;
        return run(loci, readConversation(given), input, { requestId, signal });
      },
    }),
  ]);
  return Object.fromEntries(entries) as LociTools;
}
