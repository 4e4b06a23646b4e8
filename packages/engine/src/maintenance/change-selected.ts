import type { MaintenanceFinding, MaintenanceJobType, MaintenanceReport, Principal } from "@loci/domain";
import type { Change, StoredMemory } from "@loci/ledger";
import type { EngineServices } from "../engine-services.ts";
import { isOutdated } from "../version-conflict.ts";
import { type Decision, logDecision } from "./decision-log.ts";
import type { MaintenanceCall } from "./maintenance-call.ts";
import { scanMemories } from "./scan-memories.ts";

/** What a job decides about a memory, and the change that carries it out. */
export interface SelectedChange {
  readonly change: Change;
  readonly finding: Decision;
}

/** Findings that a report holds; all of them are counted and logged. */
export const maxFindings = 1_000;

/**
 * Goes through the memories that a principal's scope patterns cover, and changes those a rule selects. Each decision is logged before it is carried out; a
 * memory that somebody else changes or erases meanwhile is left to the next run. Stopped at any point it can be run again.
 */
export async function changeSelected(
  { ledger }: Pick<EngineServices, "ledger">,
  owner: Principal,
  job: MaintenanceJobType,
  select: (stored: StoredMemory) => Promise<SelectedChange | undefined> | SelectedChange | undefined,
  dryRun: boolean,
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const { tenant } = owner;
  const principal: Principal = { tenant, subject: `loci:${job}`, roles: ["write"], scopePatterns: ["*"] };
  const counts = { scanned: 0, selected: 0, changed: 0, skipped: 0 };
  const findings: MaintenanceFinding[] = [];
  for await (const page of scanMemories(ledger, owner, job, call)) {
    counts.scanned += page.length;
    const selected: (SelectedChange & { readonly stored: StoredMemory })[] = [];
    for (const stored of page) {
      const change = await select(stored);
      if (change !== undefined) selected.push({ ...change, stored });
    }
    counts.selected += selected.length;
    findings.push(...selected.slice(0, maxFindings - findings.length).map(({ finding }) => finding));
    if (dryRun) continue;
    // Together, so that they share the ledger's waits for the disk; apart, so that one conflict stops no other.
    await Promise.all(
      selected.map(async ({ stored, change, finding }) => {
        await logDecision(ledger, tenant, job, finding);
        const expect = [{ ref: stored.memory.id, version: stored.memory.version }];
        try {
          await ledger.commit({ principal, expect, changes: [change] }, call);
          counts.changed++;
        } catch (error) {
          if (!isOutdated(error)) throw error;
          counts.skipped++;
        }
      }),
    );
  }
  return { job, dryRun, counts, findings, notes: [] };
}
