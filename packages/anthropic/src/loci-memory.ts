import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { MemoryTool, type MemoryToolOptions } from "@loci/agent";

export type LociMemoryOptions = MemoryToolOptions;

/** What `betaMemoryTool` takes. */
export type LociMemory = { readonly [Name in keyof MemoryToolHandlers]: (command: unknown) => Promise<string> };

/**
 * Handlers for `betaMemoryTool` of Anthropic's SDK: what the model keeps for itself below `/memories` are blocks of the owner.
 *
 * What is refused is thrown as the SDK's own tools do it: its tool runner tells the model.
 */
export function lociMemory(options: LociMemoryOptions): LociMemory {
  const tool = new MemoryTool(options);
  const run = (command: unknown): Promise<string> => tool.run(command);
  return { view: run, create: run, str_replace: run, insert: run, delete: run, rename: run };
}
