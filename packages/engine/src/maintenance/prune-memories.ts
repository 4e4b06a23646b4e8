import { compositeScoreParts } from "@loci/core";
import type { Instant, MaintenanceReport, Ref, ScoringProfile } from "@loci/domain";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { changeSelected, maxFindings, type SelectedChange } from "./change-selected.ts";
import type { JobCall } from "../calls/maintenance-call.ts";
import { scanMemories } from "./scan-memories.ts";
import type { StoredMemory } from "@loci/ledger";

const day = 86_400_000;
const defaultDormantDays = 180;

export interface PruneRule {
  readonly dormantDays?: number | undefined;
  readonly removeAfterDays?: number | undefined;
}

/**
 * Archives what has faded: a memory whose importance, decayed as the tenant's scoring profile says, stands at the floor and that nobody has used or changed for
 * a time becomes a tombstone, which `restore` brings back. Tombstones that are old enough are removed for good.
 */
export async function pruneMemories(
  services: MaintenanceServices,
  rule: PruneRule,
  call: JobCall,
): Promise<MaintenanceReport> {
  const { principal, now } = call;
  const dormantDays = rule.dormantDays ?? defaultDormantDays;
  const profile = services.profiles.of(principal.tenant);
  const archived = await changeSelected(
    services,
    "prune",
    (stored) => archivedIfFaded(stored, profile, dormantDays, now),
    call,
  );
  const { removed, findings } = await removeOld(services, rule.removeAfterDays, call);
  const { changed, ...counts } = archived.counts;
  return {
    ...archived,
    counts: { ...counts, archived: changed ?? 0, removed },
    findings: [...archived.findings, ...findings].slice(0, maxFindings),
    notes: archived.findings.length > 0 ? ["`loci memories restore ID VERSION` brings an archived memory back."] : [],
  };
}

function archivedIfFaded(
  { memory, recordedAt, usage }: StoredMemory,
  profile: ScoringProfile,
  dormantDays: number,
  now: Instant,
): SelectedChange | undefined {
  const { id, version, state, isStatic, isPinned, importance } = memory;
  if (state !== "active" || isStatic || isPinned === true) return undefined;
  // What is brought over from elsewhere is as old as it was there, and nobody can have used it here before it came.
  const lastTouch = Math.max(usage.lastAccessedAt ?? recordedAt, memory.createdAt, memory.updatedAt, recordedAt);
  const days = (now - lastTouch) / day;
  if (days < dormantDays) return undefined;
  const input = { memory, usage, relevance: 0, queryTags: new Set<string>() };
  const { importance: decayed } = compositeScoreParts(input, profile, now);
  if (decayed > profile.importanceFloor) return undefined;
  return {
    change: { type: "memoryRemoved", ref: id, version: version + 1, removedAt: now },
    finding: {
      memory: id,
      reason: "DORMANT",
      details: {
        importance: String(importance),
        decayedImportance: String(decayed),
        floor: String(profile.importanceFloor),
        dormantDays: days.toFixed(1),
        accessCount: String(usage.accessCount),
        version: String(version),
      },
    },
  };
}

async function removeOld(
  { ledger }: MaintenanceServices,
  removeAfterDays: number | undefined,
  call: JobCall,
): Promise<Pick<MaintenanceReport, "findings"> & { readonly removed: number }> {
  const { principal, now, dryRun } = call;
  if (removeAfterDays === undefined) return { removed: 0, findings: [] };
  const old: { readonly ref: Ref; readonly days: number }[] = [];
  for await (const page of scanMemories(ledger, call, "looking for old tombstones"))
    for (const { memory } of page) {
      const days = (now - memory.updatedAt) / day;
      if (memory.state === "deleted" && days >= removeAfterDays) old.push({ ref: memory.id, days });
    }
  const refs = old.map(({ ref }) => ref);
  if (!dryRun && refs.length > 0) await ledger.purge(principal.tenant, { refs }, call);
  return {
    removed: dryRun ? 0 : refs.length,
    findings: old.slice(0, maxFindings).map(({ ref, days }) => ({
      memory: ref,
      reason: "TOMBSTONE_PAST_RETENTION",
      details: { days: days.toFixed(1) },
    })),
  };
}
