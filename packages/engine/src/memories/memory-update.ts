import type { EtagPrecondition, MemoryId, MemoryKey, MemoryPatch, MissingAllowed } from "@loci/domain";

/** Which memory gets which fields, if it is as the caller has read it. */
export interface MemoryUpdate {
  readonly which: MemoryId | MemoryKey;
  readonly patch: MemoryPatch;
  readonly precondition: EtagPrecondition | MissingAllowed;
}
