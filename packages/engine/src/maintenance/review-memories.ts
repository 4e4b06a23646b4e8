import { formatScope, type Instant, type MaintenanceFinding, type MaintenanceReport, type Ref } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { maxFindings } from "./change-selected.ts";
import type { JobCall } from "../calls/maintenance-call.ts";
import { scanMemories } from "./scan-memories.ts";

const day = 86_400_000;
const defaultStaticDays = 365;

/**
 * Lists what a person should look at: static memories that were not touched for long, as they never fade by themselves,
 * and memories of one scope that fill one slot with different texts, all of them valid.
 */
export async function reviewMemories(
  { ledger }: MaintenanceServices,
  staticDays: number | undefined,
  call: JobCall,
): Promise<MaintenanceReport> {
  const { now } = call;
  const counts = { scanned: 0, oldStaticFacts: 0, slotConflicts: 0, quarantined: 0 };
  const findings: MaintenanceFinding[] = [];
  const note = (finding: MaintenanceFinding): void => void (findings.length < maxFindings && findings.push(finding));
  const slots = new Map<string, { readonly slot: string; readonly scope: string; readonly texts: Map<string, Ref> }>();
  for await (const page of scanMemories(ledger, call, "review"))
    for (const { memory, contentHash } of page) {
      counts.scanned++;
      const { id, state, isStatic, updatedAt, slot } = memory;
      if (state === "quarantined") {
        counts.quarantined++;
        note({ memory: id, reason: "QUARANTINED", details: { updatedAt: String(updatedAt) } });
      }
      if (state !== "active" || !isValid(memory, now)) continue;
      const days = (now - updatedAt) / day;
      if (isStatic && days >= (staticDays ?? defaultStaticDays)) {
        counts.oldStaticFacts++;
        note({ memory: id, reason: "OLD_STATIC_FACT", details: { unchangedDays: days.toFixed(1) } });
      }
      if (slot === undefined) continue;
      const scope = formatScope(memory.scope);
      const key = JSON.stringify([scope, slot]);
      const filled = slots.get(key) ?? { slot, scope, texts: new Map<string, Ref>() };
      filled.texts.set(contentHash, id);
      slots.set(key, filled);
    }
  for (const { slot, scope, texts } of slots.values()) {
    if (texts.size < 2) continue;
    counts.slotConflicts++;
    const memories = [...texts.values()];
    note({ memory: memories[0], reason: "SLOT_CONFLICT", details: { slot, scope, memories: memories.join(" ") } });
  }
  return { job: "review", dryRun: true, counts, findings, notes: [] };
}

function isValid({ validFrom, validTo, expiresAt, supersededBy }: StoredMemory["memory"], now: Instant): boolean {
  return (
    supersededBy === undefined &&
    (validFrom ?? -Infinity) <= now &&
    now < (validTo ?? Infinity) &&
    now < (expiresAt ?? Infinity)
  );
}
