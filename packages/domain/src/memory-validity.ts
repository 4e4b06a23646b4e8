import type { Instant } from "./instant.ts";
import type { MemoryRecord } from "./memory.ts";

/**
 * Whether a memory was true at a time. One that was replaced held only where its `validTo` says until when: without that, nobody
 * knows.
 */
export function heldAt(
  { validFrom, validTo, supersededBy }: Pick<MemoryRecord, "validFrom" | "validTo" | "supersededBy">,
  time: Instant,
): boolean {
  if (validFrom !== undefined && time < validFrom) return false;
  return validTo === undefined ? supersededBy === undefined : time < validTo;
}
