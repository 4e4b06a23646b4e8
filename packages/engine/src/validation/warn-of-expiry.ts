import type { Memory, MemoryWarning } from "@loci/domain";

/** Tells of a memory that had expired before it was stored: nothing shows it, and most often a date was meant that lies ahead. */
export function expiryWarnings({ expiresAt, recordedAt }: Memory): readonly MemoryWarning[] {
  if (expiresAt === undefined || expiresAt > recordedAt) return [];
  return [
    {
      reason: "ALREADY_EXPIRED",
      message: `The memory expired at ${new Date(expiresAt).toISOString()}, before it was stored: no recall and no list shows it.`,
      advice:
        "Update it with an expiresAt that lies ahead, in milliseconds since 1970, or with null. For what was true until then give validTo in its place.",
    },
  ];
}
