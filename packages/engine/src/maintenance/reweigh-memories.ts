import { importanceMonthDays as monthDays, reweighedImportance } from "@loci/core";
import type { MaintenanceReport } from "@loci/domain";
import { type Decision, standingWeight, type StoredMemory } from "@loci/ledger";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { changeSelected, type SelectedChange } from "./change-selected.ts";
import type { JobCall } from "../calls/maintenance-call.ts";

const day = 86_400_000;
/** Smaller differences are not worth a version. */
const leastDifference = 0.005;

/**
 * Sets importance anew from use, as `reweighedImportance` says. What it was given stays with what was decided, and a value
 * that somebody sets afterwards is the new original. What stands in every context of its scope stays as given.
 */
export function reweighMemories(services: MaintenanceServices, call: JobCall): Promise<MaintenanceReport> {
  return changeSelected(services, "reweigh", (stored, decided) => reweighed(services, call, stored, decided), call);
}

async function reweighed(
  { ledger }: MaintenanceServices,
  { principal: { tenant }, now }: JobCall,
  { memory, usage, contentHash }: StoredMemory,
  decided: Decision | undefined,
): Promise<SelectedChange | undefined> {
  if (memory.state !== "active" || memory.isStatic) return undefined;
  const before = decided?.details;
  const isOurs = before !== undefined && Number(before["importance"]) === memory.importance;
  const original = isOurs ? Number(before["original"]) : memory.importance;
  const daysSinceCreation = (now - memory.createdAt) / day;
  // Only asked where it decides: what is used, or new, does not fade.
  const mayFade = usage.accessCount === 0 && daysSinceCreation >= monthDays;
  const shownCount = mayFade ? ((await ledger.shownCounts(tenant, [memory.id])).get(memory.id) ?? 0) : 0;
  const evidence = {
    original,
    isStatic: memory.isStatic,
    accessCount: usage.accessCount,
    shownCount,
    daysSinceCreation,
    daysSinceLastUse: usage.lastAccessedAt === undefined ? undefined : (now - usage.lastAccessedAt) / day,
  };
  // What stands in every context counts as used in each, which says nothing of what it is worth.
  const importance = standingWeight(memory) === undefined ? reweighedImportance(evidence) : original;
  if (Math.abs(importance - memory.importance) < leastDifference) return undefined;
  const version = memory.version + 1;
  return {
    change: { type: "memoryWritten", memory: { ...memory, importance, version, updatedAt: now }, contentHash },
    finding: {
      memory: memory.id,
      reason: reasonOf(importance, memory.importance, original),
      details: {
        original: String(original),
        from: String(memory.importance),
        importance: String(importance),
        accessCount: String(usage.accessCount),
        ...(mayFade ? { shownCount: String(shownCount) } : {}),
        daysSinceCreation: daysSinceCreation.toFixed(1),
        ...(evidence.daysSinceLastUse === undefined ? {} : { daysSinceLastUse: evidence.daysSinceLastUse.toFixed(1) }),
        version: String(memory.version),
      },
    },
  };
}

/** `AS_GIVEN`: what had raised or lowered it has ended. */
function reasonOf(importance: number, before: number, original: number): string {
  if (importance === original) return "AS_GIVEN";
  return importance > before ? "OFTEN_USED" : "SHOWN_NOT_USED";
}
