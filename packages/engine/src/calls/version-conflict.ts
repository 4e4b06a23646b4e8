import { LociError, type Version } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";

export function isVersionConflict(error: unknown): boolean {
  return LociError.is(error) && error.reason === "VERSION_CONFLICT";
}

/** Whether what was to be changed is not what it was read as any more: it has another version, or was erased. */
export function isOutdated(error: unknown): boolean {
  return isVersionConflict(error) || isErased(error);
}

export function isErased(error: unknown): error is LociError {
  return LociError.is(error) && error.reason === "MEMORY_ERASED";
}

/** Whether the key of a memory is that of another one. */
export function isKeyTaken(error: unknown): boolean {
  return LociError.is(error) && error.reason === "MEMORY_EXISTS";
}

/** The error for a caller whose etag is not that of the current version. */
export function versionConflict({ memory }: StoredMemory, expected: Version): LociError {
  return new LociError("VERSION_CONFLICT", {
    message: `The memory ${memory.id} is at version ${memory.version}, but the etag is that of version ${expected}.`,
    resource: memory.id,
    advice: "Read it again, look at what changed, and send the update with the new etag.",
    details: { currentVersion: String(memory.version), expectedVersion: String(expected) },
  });
}
