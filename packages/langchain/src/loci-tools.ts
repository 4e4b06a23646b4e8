import { createHash } from "node:crypto";
import { type StructuredToolInterface, tool, type ToolRuntime } from "@langchain/core/tools";
import { AgentMemory, type AgentMemoryOptions, agentTools, type KnownConversation } from "@loci/agent";
import { type LociRequest, requestOf } from "./agent-request.ts";

export interface LociToolsOptions<Context = unknown> extends Pick<
  AgentMemoryOptions<LociRequest<Context>>,
  "loci" | "conversation"
> {
  /** Which of them, by name. Default: all. */
  readonly names?: readonly string[] | undefined;
}

/**
 * Tools with which a model recalls, remembers, and proposes changes of blocks. Whose memory it is comes from your application; what
 * fails for a reason that the model can mend is told to it.
 */
export function lociTools<Context = unknown>(options: LociToolsOptions<Context>): StructuredToolInterface[] {
  const { loci, names } = options;
  const memory = new AgentMemory(options);
  return agentTools
    .filter(({ name }) => names?.includes(name) ?? true)
    .map((agentTool) => {
      const call = async (input: unknown, runtime: ToolRuntime): Promise<string> => {
        const { toolCall, signal, configurable } = runtime;
        const conversation = await memory.conversationOf(
          requestOf({ context: runtime.context as Context, configurable }),
        );
        return agentTool.run(loci, conversation, input, {
          signal,
          requestId: idOfCall(conversation, toolCall?.id, input),
        });
      };
      return tool(call, {
        name: agentTool.name,
        description: agentTool.description,
        schema: agentTool.inputSchema,
        // Else a model is told that its input is wrong, and not what is.
        verboseParsingErrors: true,
      });
    });
}

/** A call that is repeated, as when a run is resumed, is done once. Ids of calls alone may come again in another conversation. */
function idOfCall(conversation: KnownConversation, id: string | undefined, input: unknown): string | undefined {
  if (id === undefined) return undefined;
  return createHash("sha256")
    .update(JSON.stringify([conversation, id, input]))
    .digest("base64url");
}
