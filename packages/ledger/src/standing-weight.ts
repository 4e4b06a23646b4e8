import type { MemoryRecord } from "@loci/domain";

const staticCategories: ReadonlySet<string> = new Set(["fact", "entity", "procedure"]);
/** More than any importance. */
const weightOfPin = 2;

/**
 * What orders the memories that stand in every context of their scope: pinned first, then by importance. `undefined` for a
 * memory that does not stand: one that is neither pinned, nor a preference, nor a static fact, entity or procedure.
 */
export function standingWeight({
  category,
  isStatic,
  isPinned,
  importance,
}: Pick<MemoryRecord, "category" | "isStatic" | "isPinned" | "importance">): number | undefined {
  if (isPinned === true) return weightOfPin + importance;
  const stands = category === "preference" || (isStatic && staticCategories.has(category));
  return stands ? importance : undefined;
}
