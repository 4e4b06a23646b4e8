import { LociError, type MemoryId, memoryId, permitsScope, type Role, authorize } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { MemoryServices } from "./memory-services.ts";
import { isWithheld } from "./withheld-memory.ts";

/**
 * Reads the current version, tombstones included. A memory outside the principal's scopes does not exist for it, nor does one that
 * waits for approval, or was rejected, for who may not approve.
 *
 * @throws LociError `ROLE_REQUIRED`, `INVALID_IDENTIFIER`, `MEMORY_NOT_FOUND`
 */
export async function permittedMemory(
  services: MemoryServices,
  call: Call,
  role: Role,
  id: MemoryId,
): Promise<StoredMemory> {
  const { principal, signal } = call;
  authorize(principal, role, []);
  const ref = memoryId(id);
  const stored = (await services.ledger.memories(principal.tenant, [ref], { signal })).get(ref);
  if (stored === undefined || !permitsScope(principal, stored.memory.scope)) throw memoryNotFound(ref);
  if (await isWithheld(services, call, stored)) throw memoryNotFound(ref);
  return stored;
}

export function memoryNotFound(id: MemoryId): LociError {
  return new LociError("MEMORY_NOT_FOUND", {
    message: `There is no memory ${id}.`,
    resource: id,
    advice: "It may have been forgotten, wait for approval, or lie outside the scopes of the credential.",
  });
}

export function isForgotten(stored: StoredMemory): boolean {
  return stored.memory.state === "deleted";
}
