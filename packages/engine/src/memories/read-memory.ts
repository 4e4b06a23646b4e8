import {
  authorize,
  type CallOptions,
  checkList,
  type Instant,
  LociError,
  type Memory,
  type MemoryId,
  memoryId,
  permitsScope,
  type Principal,
} from "@loci/domain";
import type { MemoryServices } from "./memory-services.ts";
import { isForgotten, memoryNotFound, permittedMemory } from "./existing-memory.ts";
import { memoryViews } from "./memory-views.ts";
import { maxMemoriesPerCall } from "./validate-conversation.ts";

/** The current version of a memory that was not forgotten. */
export async function getMemory(
  services: MemoryServices,
  principal: Principal,
  id: MemoryId,
  call: CallOptions,
): Promise<Memory> {
  const stored = await permittedMemory(services, principal, "read", id, call);
  if (isForgotten(stored)) throw memoryNotFound(id);
  const [memory] = await memoryViews(services.ledger, principal.tenant, services.space, [stored]);
  if (memory === undefined) throw new LociError("INTERNAL", { message: "The memory was lost on the way." });
  return memory;
}

/** Every version of a memory, oldest first, tombstones included. */
export async function memoryVersions(
  services: MemoryServices,
  principal: Principal,
  id: MemoryId,
  call: CallOptions,
): Promise<readonly Memory[]> {
  const { memory } = await permittedMemory(services, principal, "read", id, call);
  const versions = await services.ledger.versions(principal.tenant, memory.id, call);
  return memoryViews(services.ledger, principal.tenant, services.space, versions);
}

/** Counts a use of each memory the principal may see, in the background. Others are passed over. */
export async function markUsed(
  services: MemoryServices,
  principal: Principal,
  ids: readonly MemoryId[],
  call: CallOptions,
): Promise<void> {
  authorize(principal, "write", []);
  const refs = [...new Set(checkList(ids, "ids", { least: 0, most: maxMemoriesPerCall }).map(memoryId))];
  if (refs.length === 0) return;
  const found = await services.ledger.memories(principal.tenant, refs, call);
  const visible = refs.filter((ref) => {
    const stored = found.get(ref);
    return stored !== undefined && !isForgotten(stored) && permitsScope(principal, stored.memory.scope);
  });
  const at: Instant = services.clock();
  services.usage.record(
    principal.tenant,
    visible.map((ref) => ({ ref, at })),
  );
}
