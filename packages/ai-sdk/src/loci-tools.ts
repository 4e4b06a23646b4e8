import { agentTools, type Conversation, readConversation } from "@loci/agent";
import type { Loci } from "@loci/domain";
import { jsonSchema, type Tool, tool } from "ai";

/** What is known of a call of a tool besides what the model says. */
export interface ToolCallContext {
  /** What `toolsContext` of the run has for this tool. */
  readonly context: unknown;
}

export interface LociToolsOptions {
  readonly loci: Loci;
  /** Who speaks, never by what the model says: always the same, or by what the run tells the tool. */
  readonly conversation:
    | Conversation
    | ((call: ToolCallContext) => Conversation | undefined | Promise<Conversation | undefined>);
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
      execute: async (input, { context, toolCallId: requestId, abortSignal: signal }) => {
        const given = typeof conversation === "function" ? await conversation({ context }) : conversation;
        return run(loci, readConversation(given), input, { requestId, signal });
      },
    }),
  ]);
  return Object.fromEntries(entries) as LociTools;
}
