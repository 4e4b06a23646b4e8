import type { MemoryOrder } from "@loci/domain";
import type { StoredMemory } from "../stored-memory.ts";

/** What a memory is ordered by; `null` comes last. */
export function orderKeyOf({ memory, usage }: StoredMemory, order: MemoryOrder): number | null {
  switch (order) {
    case "created":
      return memory.createdAt;
    case "updated":
      return memory.updatedAt;
    case "used":
      return usage.lastAccessedAt ?? null;
    case "uses":
      return usage.accessCount;
    case "importance":
      return memory.importance;
  }
}
