import { createHash } from "node:crypto";
import { LociError } from "@loci/domain";
import type { AgentTool } from "./agent-tool.ts";
import { type KnownConversation, nameOfConversation } from "./conversation.ts";
import { editBlock } from "./tools/edit-block.ts";
import { recall } from "./tools/recall.ts";
import { remember } from "./tools/remember.ts";
import { viewBlocks } from "./tools/view-blocks.ts";

/** The tools with which a model recalls, remembers, and proposes changes of blocks. Whose memory it is never comes from the model. */
export const agentTools: readonly AgentTool[] = [recall, remember, viewBlocks, editBlock].map((tool) => ({
  ...tool,
  run: (loci, conversation, input, options = {}) => {
    const call = { ...options, requestId: requestIdOf(tool.name, conversation, input, options.requestId) };
    return shownToModel(options.signal, () => tool.run(loci, conversation, input, call));
  },
}));

/** Some providers give the calls of each run the same ids: what is asked, and for whom, belongs to the id. */
function requestIdOf(
  name: string,
  conversation: KnownConversation,
  input: unknown,
  given: string | undefined,
): string | undefined {
  if (given === undefined) return undefined;
  const asked = JSON.stringify([name, nameOfConversation(conversation), input, given]);
  return createHash("sha256").update(asked).digest("base64url");
}

/** An answer, or what was wrong in words that help. */
async function shownToModel(signal: AbortSignal | undefined, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted === true || !LociError.is(error)) throw error;
    return `Error: ${error.message}${error.advice === undefined ? "" : ` ${error.advice}`}`;
  }
}
