import {
  authorize,
  checkList,
  type Instant,
  LociError,
  type Memory,
  type MemoryId,
  memoryId,
  type MemoryKey,
  permitsScope,
} from "@loci/domain";
import type { Call } from "../calls/call.ts";
import type { MemoryServices } from "./memory-services.ts";
import { isForgotten, memoryNotFound, namedMemory, permittedMemory } from "./existing-memory.ts";
import { memoryViews } from "./memory-views.ts";
import { maxMemoriesPerCall } from "./validate-conversation.ts";
import { shownVersions } from "./withheld-memory.ts";

/** The current version of a memory that was not forgotten. */
export async function getMemory(services: MemoryServices, call: Call, which: MemoryId | MemoryKey): Promise<Memory> {
  const stored = await namedMemory(services, call, "read", which);
  if (isForgotten(stored)) throw memoryNotFound(stored.memory.id);
  const [memory] = await memoryViews(services.ledger, call.principal.tenant, services.space, [stored]);
  if (memory === undefined) throw new LociError("INTERNAL", { message: "The memory was lost on the way." });
  return memory;
}

/** Every version of a memory that the principal may see, oldest first, tombstones included. */
export async function memoryVersions(services: MemoryServices, call: Call, id: MemoryId): Promise<readonly Memory[]> {
  const { principal, signal } = call;
  const { memory } = await permittedMemory(services, call, "read", id);
  const versions = await services.ledger.versions(principal.tenant, memory.id, { signal });
  return memoryViews(services.ledger, principal.tenant, services.space, shownVersions(principal, versions));
}

/** Counts a use of each active memory the principal may see, in the background. Others are passed over. */
export async function markUsed(
  services: MemoryServices,
  { principal, signal }: Call,
  ids: readonly MemoryId[],
): Promise<void> {
  authorize(principal, "write", []);
  const refs = [...new Set(checkList(ids, "ids", { least: 0, most: maxMemoriesPerCall }).map(memoryId))];
  if (refs.length === 0) return;
  const found = await services.ledger.memories(principal.tenant, refs, { signal });
  const visible = refs.filter((ref) => {
    const stored = found.get(ref);
    return stored?.memory.state === "active" && permitsScope(principal, stored.memory.scope);
  });
  const at: Instant = services.clock();
  services.usage.record(
    principal.tenant,
    visible.map((ref) => ({ ref, at })),
  );
}
