import { AgentMemory, type AgentMemoryOptions, agentTools, type ToolInputSchema } from "@loci/agent";
import { type RunContext, tool, type Tool } from "@openai/agents-core";

/**
 * Tools with which a model recalls, remembers, looks at blocks and proposes changes of them, for `new Agent({ tools })`. Whose
 * memory it is comes from the context of the run, never from the model.
 */
export function lociTools<Context = unknown>(
  options: Pick<AgentMemoryOptions<Context>, "loci" | "conversation">,
): Tool<Context>[] {
  const memory = new AgentMemory<Context>(options);
  return agentTools.map((offered) =>
    tool<OpenSchema, Context>({
      name: offered.name,
      description: offered.description,
      strict: false,
      parameters: schemaOf(offered.inputSchema),
      execute: async (input: unknown, context: RunContext<Context> | undefined, details) => {
        const conversation = await memory.conversationOf(context?.context as Context);
        return offered.run(options.loci, conversation, input, {
          signal: details?.signal,
          requestId: details?.toolCall?.callId,
        });
      },
    }),
  );
}

/** As the SDK's type has it; tools refuse what they do not know by themselves. */
function schemaOf({ properties, required }: ToolInputSchema): OpenSchema {
  return { type: "object", properties: { ...properties }, required, additionalProperties: true };
}

interface OpenSchema {
  type: "object";
  properties: Record<string, object>;
  required: string[];
  additionalProperties: true;
}
