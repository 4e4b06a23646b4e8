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
  const memory = await loci.memories.get(memoryId(id), { signal: call.signal }).catch((error: unknown) => {
    if (LociError.is(error) && error.reason === "MEMORY_NOT_FOUND") return undefined;
    throw error;
  });
  const opened: readonly string[] = scopes;
  if (memory !== undefined && opened.includes(formatScope(memory.scope))) return memory;
  // In the same words for each: whether there is one elsewhere is nobody's to know here.
  throw new LociError("MEMORY_NOT_FOUND", {
    message: `There is no memory ${id}.`,
    field: "id",
    resource: id,
    advice: "Pass the id of a memory as recall gives it. It may have been forgotten, or wait for a person's approval.",
  });
}
