import { MemoryTool, type MemoryToolOptions } from "@loci/agent";

export type LociMemoryOptions = MemoryToolOptions;

/** What `execute` of `anthropic.tools.memory_20250818` takes. */
export type LociMemory = (
  command: unknown,
  options?: { readonly abortSignal?: AbortSignal | undefined },
) => Promise<string>;

/**
 * What executes Anthropic's memory tool, `anthropic.tools.memory_20250818({ execute: lociMemory({ loci, owner }) })`: what the model
 * keeps for itself below `/memories` are blocks of the owner. What is refused is thrown: the SDK tells the model.
 */
export function lociMemory(options: LociMemoryOptions): LociMemory {
  const tool = new MemoryTool(options);
  return (command, { abortSignal: signal = options.signal } = {}) => tool.run(command, { signal });
}
