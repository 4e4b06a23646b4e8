import type { Memory } from "@loci/loci";

/**
 * Since when and until when a memory holds, as ISO 8601, where that is not told by when it was made: what was corrected is newer than
 * its `createdAt` says.
 */
export function heldTimes({ createdAt, validFrom, validTo }: Pick<Memory, "createdAt" | "validFrom" | "validTo">): {
  readonly since?: string;
  readonly until?: string;
} {
  return {
    ...(validFrom === undefined || validFrom === createdAt ? {} : { since: new Date(validFrom).toISOString() }),
    ...(validTo === undefined ? {} : { until: new Date(validTo).toISOString() }),
  };
}
