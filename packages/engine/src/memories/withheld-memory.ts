import { hasRole, type Principal } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { MemoryServices } from "./memory-services.ts";

/**
 * Whether a memory as it is now is kept from the principal: it waits for approval, or waited when it was removed, and the principal
 * may not approve. As lists have it.
 */
export async function isWithheld(
  services: Pick<MemoryServices, "ledger">,
  { principal, signal }: Call,
  { memory }: StoredMemory,
): Promise<boolean> {
  if (hasRole(principal, "approve") || memory.state === "active") return false;
  if (memory.state === "quarantined") return true;
  const versions = await services.ledger.versions(principal.tenant, memory.id, { signal });
  return !shownVersions(principal, versions).includes(versions.at(-1) as StoredMemory);
}

/** The versions of one memory, oldest first, that the principal may see: without those that waited, if it may not approve. */
export function shownVersions(principal: Principal, versions: readonly StoredMemory[]): readonly StoredMemory[] {
  if (hasRole(principal, "approve")) return versions;
  return versions.filter(({ memory }, index) => {
    // A tombstone has the text of the version before it.
    const whose = memory.state === "deleted" ? versions[index - 1] : undefined;
    return (whose?.memory ?? memory).state !== "quarantined";
  });
}
