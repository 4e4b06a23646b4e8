import { type Loci, LociError, type Memory } from "@loci/loci";
import { openedMemory } from "./opened-memory.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/**
 * A memory that a model may change: in an opened scope, stored by a model itself and not approved. What a person or a program has
 * stored or approved may be followed; changing its text would lend that to words from anywhere.
 *
 * @throws LociError `MEMORY_NOT_FOUND` also for one in another scope; `ROLE_REQUIRED` for one that is trusted or approved
 */
export async function memoryOfModels(
  loci: Loci,
  environment: Pick<ToolEnvironment, "scopes">,
  id: string,
  call: { readonly signal: AbortSignal },
): Promise<Memory> {
  const memory = await openedMemory(loci, environment, id, call);
  const isApproved = memory.approvedBy !== undefined;
  if (memory.trust === "untrusted" && !isApproved) return memory;
  throw new LociError("ROLE_REQUIRED", {
    message: `The memory ${id} was ${isApproved ? "approved by a person" : "stored by a person or a program"}, and only they change it.`,
    field: "id",
    resource: id,
    advice: `Tell the user, who can run: loci memories update ${id}`,
  });
}
