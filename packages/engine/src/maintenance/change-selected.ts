import type { MaintenanceFinding, MaintenanceJobType, MaintenanceReport, Ref } from "@loci/domain";
import type { Change, Decision, StoredMemory } from "@loci/ledger";
import { authoredBy } from "../calls/authored-by.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import type { JobCall } from "../calls/maintenance-call.ts";
import { scanMemories } from "./scan-memories.ts";

/** What a job decides about a memory, and the change that carries it out. */
export interface SelectedChange {
  readonly change: Change;
  readonly finding: MaintenanceFinding & { readonly memory: Ref };
}

/** Findings that a report holds; all of them are counted and logged. */
export const maxFindings = 1_000;

/**
 * Goes through the memories that a principal's scope patterns cover, and changes those a rule selects. Each decision is
 * committed with the change that carries it out; a memory that somebody else changes or erases meanwhile is left to the next
 * run, and nothing is decided about it. Stopped at any point it can be run again.
 *
 * @param select is told what the job decided last about the memory
 */
export async function changeSelected(
  { ledger }: Pick<MaintenanceServices, "ledger">,
  job: MaintenanceJobType,
  select: (
    stored: StoredMemory,
    decided: Decision | undefined,
  ) => Promise<SelectedChange | undefined> | SelectedChange | undefined,
  call: JobCall,
): Promise<MaintenanceReport> {
  const { principal: owner, dryRun } = call;
  const { tenant } = owner;
  const counts = { scanned: 0, selected: 0, changed: 0, skipped: 0 };
  const findings: MaintenanceFinding[] = [];
  for await (const page of scanMemories(ledger, call, job)) {
    counts.scanned += page.length;
    const selected: (SelectedChange & { readonly stored: StoredMemory })[] = [];
    const refs = page.map(({ memory }) => memory.id);
    const decided = await ledger.decisions(tenant, job, refs, call);
    for (const stored of page) {
      const change = await select(stored, decided.get(stored.memory.id));
      if (change !== undefined) selected.push({ ...change, stored });
    }
    counts.selected += selected.length;
    findings.push(...selected.slice(0, maxFindings - findings.length).map(({ finding }) => finding));
    if (dryRun) continue;
    // Together, so that they share the ledger's waits for the disk; apart, so that one conflict stops no other.
    await Promise.all(
      selected.map(async ({ stored, change, finding }) => {
        const { memory: ref, reason, details } = finding;
        const expect = [{ ref, version: stored.memory.version }];
        const decisions = [{ ref, reason, details }];
        try {
          await ledger.commit({ ...authoredBy(owner, job), reason, expect, changes: [change], decisions }, call);
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
