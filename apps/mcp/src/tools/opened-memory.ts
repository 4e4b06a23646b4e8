import { formatScope, type Loci, LociError, type Memory, memoryId } from "@loci/loci";
import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * A memory of an opened scope.
 *
 * @throws LociError `MEMORY_NOT_FOUND`, also for one in another scope
 */
export async function openedMemory(
  loci: Loci,
  { scopes }: Pick<ToolEnvironment, "scopes">,
  id: string,
  call: { readonly signal: AbortSignal },
): Promise<Memory> {
  const memory = await loci.memories.get(memoryId(id), { signal: call.signal });
  const opened: readonly string[] = scopes;
  if (opened.includes(formatScope(memory.scope))) return memory;
  throw new LociError("MEMORY_NOT_FOUND", {
    message: `There is no memory ${id}.`,
    field: "id",
    resource: id,
    advice: "Pass the id of a memory that was recalled.",
  });
}
