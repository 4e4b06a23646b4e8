import { type BlockOperation, blockOperationsSchema, type Loci, LociError, type ScopeInput } from "@loci/domain";

const description =
  "Propose a change of a block: what stands in every context about the user, the agent or the project. " +
  "A person may have to approve it. Say in reason why.";

const parameters = {
  type: "object",
  properties: {
    label: { type: "string", description: "Which block, such as human, persona or core_memory." },
    operations: blockOperationsSchema,
    reason: { type: "string" },
  },
  required: ["label", "operations", "reason"],
  additionalProperties: false,
} as const;

const name = "edit_memory_block";

/** A tool as OpenAI's chat completions take it. `parameters` is a JSON schema. */
export interface OpenAiTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** A tool as Anthropic's messages take it. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: object;
}

/** The tool `edit_memory_block` as OpenAI's chat completions take it. */
export const editMemoryBlockOpenAi: OpenAiTool = { type: "function", function: { name, description, parameters } };

/** The tool `edit_memory_block` as Anthropic's messages take it. */
export const editMemoryBlockAnthropic: AnthropicTool = { name, description, input_schema: parameters };

/**
 * Does what a model asked of `edit_memory_block`: it proposes, whatever the credential may do.
 *
 * @param input as the model gave it, parsed
 * @returns what the model is to be shown, also when it was refused
 */
export async function runEditMemoryBlock(loci: Loci, owner: ScopeInput, input: unknown): Promise<string> {
  const { label, operations, reason } = (input ?? {}) as {
    readonly label?: string;
    readonly operations?: readonly BlockOperation[];
    readonly reason?: string;
  };
  return shownToModel(async () => {
    const given = { owner, label: label ?? "", operations: operations ?? [], reason };
    const { id, state } = await loci.blocks.propose(given).catch((error: unknown) => {
      throw forModel(error);
    });
    return state === "pending" ? `Proposed as ${id}. A person decides about it.` : `Done: ${id}.`;
  });
}

/** A block that is not there can be made by a person, not by a model. */
function forModel(error: unknown): unknown {
  if (!LociError.is(error) || error.reason !== "BLOCK_NOT_FOUND") return error;
  return new LociError(error.reason, {
    ...error.toJSON(),
    advice:
      "Name a block that stands in your context. A new one is made by a person: tell the user that it is missing.",
    cause: error,
  });
}

/** An answer, or what was wrong in words that help. */
export async function shownToModel(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return `Error: ${error.message}${error.advice === undefined ? "" : ` ${error.advice}`}`;
  }
}
