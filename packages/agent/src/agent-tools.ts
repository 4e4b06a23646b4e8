import { LociError } from "@loci/domain";
import type { AgentTool } from "./agent-tool.ts";
import { editBlock } from "./tools/edit-block.ts";
import { recall } from "./tools/recall.ts";
import { remember } from "./tools/remember.ts";
import { viewBlocks } from "./tools/view-blocks.ts";

/** The tools with which a model recalls, remembers, and proposes changes of blocks. Whose memory it is never comes from the model. */
export const agentTools: readonly AgentTool[] = [recall, remember, viewBlocks, editBlock].map((tool) => ({
  ...tool,
  run: (loci, conversation, input, options) =>
    shownToModel(options?.signal, () => tool.run(loci, conversation, input, options)),
}));

/** An answer, or what was wrong in words that help. */
async function shownToModel(signal: AbortSignal | undefined, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted === true || !LociError.is(error)) throw error;
    return `Error: ${error.message}${error.advice === undefined ? "" : ` ${error.advice}`}`;
  }
}
