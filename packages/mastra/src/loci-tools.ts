import { AgentMemory, type AgentMemoryOptions, agentTools } from "@loci/agent";
import type { RequestContext } from "@mastra/core/request-context";
import { createTool, type Tool } from "@mastra/core/tools";

export type LociToolsOptions = Pick<AgentMemoryOptions<RequestContext | undefined>, "loci" | "conversation">;

/** The names of the tools. */
export type LociToolName = "recall" | "remember" | "view_blocks" | "edit_block";

export type LociTools = Record<LociToolName, Tool>;

/**
 * Tools with which a model recalls, remembers, and proposes changes of blocks, for `tools` of an agent: spread those you want. Whose
 * memory they reach comes from the request context, never from the model.
 */
export function lociTools(options: LociToolsOptions): LociTools {
  const memory = new AgentMemory<RequestContext | undefined>(options);
  const entries = agentTools.map(({ name, description, inputSchema, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema,
      execute: async (input, { requestContext, abortSignal: signal, agent }) => {
        const conversation = await memory.conversationOf(requestContext);
        return run(options.loci, conversation, input, { requestId: agent?.toolCallId, signal });
      },
    }),
  ]);
  return Object.fromEntries(entries) as LociTools;
}
