import {
  authorize,
  formatScope,
  LociError,
  type MemoryId,
  memoryId,
  type MemoryKey,
  parseMemoryKey,
  permitsScope,
  type Role,
  type Scope,
  shownText,
} from "@loci/domain";
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

/**
 * The same for a memory that is named by its id or by its key. One that was forgotten has no key.
 *
 * @throws LociError `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED`, `INVALID_IDENTIFIER`, `MEMORY_NOT_FOUND`
 */
export async function namedMemory(
  services: MemoryServices,
  call: Call,
  role: Role,
  which: MemoryId | MemoryKey,
): Promise<StoredMemory> {
  if (typeof which !== "object") return permittedMemory(services, call, role, which);
  const named = parseMemoryKey(which);
  authorize(call.principal, role, [named.scope]);
  const stored = await memoryWithKey(services, call, named);
  if (stored === undefined || (await isWithheld(services, call, stored))) throw keyNotFound(named);
  return stored;
}

/** A key that was checked. */
export interface NamedKey {
  readonly scope: Scope;
  readonly key: string;
}

/** The memory with the key, if there is one: one that is withheld, too. */
export async function memoryWithKey(
  { ledger }: MemoryServices,
  { principal, signal }: Call,
  { scope, key }: NamedKey,
): Promise<StoredMemory | undefined> {
  const [stored] = await ledger.byKeys(principal.tenant, { scope, keys: [key] }, { signal });
  return stored;
}

function keyNotFound({ scope, key }: NamedKey): LociError {
  const resource = formatScope(scope);
  return new LociError("MEMORY_NOT_FOUND", {
    message: `The scope ${resource} has no memory with the key ${shownText(key, 80)}.`,
    resource,
    advice: "It may have been forgotten, or wait for approval. update with allowMissing makes one that is missing.",
  });
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
