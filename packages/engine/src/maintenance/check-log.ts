import { LociError, type MaintenanceFinding, type Ref, type Sequence, type TenantId } from "@loci/domain";
import type { DamagedEntry, Ledger } from "@loci/ledger";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";

/** Entries of the log read at once. */
const pageSize = 512;

/** What came of reading a tenant's log from its beginning. */
export interface CheckedLog {
  readonly entries: number;
  readonly damaged: number;
  /** Whether all of it can be read, damaged or not. What cannot be read can be compared with nothing. */
  readonly isReadable: boolean;
  /** As many as were asked for. */
  readonly findings: readonly MaintenanceFinding[];
  readonly notes: readonly string[];
}

/**
 * Reads every entry of a tenant's log, every version of every memory among them, and finds those that do not hold what was
 * written. The memory it takes is that of a page.
 */
export async function checkLog(
  ledger: Ledger,
  tenant: TenantId,
  mostFindings: number,
  call: MaintenanceCall,
): Promise<CheckedLog> {
  const meter = new ProgressMeter("reading the log", call);
  const total = await ledger.head(tenant);
  const findings: MaintenanceFinding[] = [];
  let [entries, texts, contents] = [0, 0, 0];
  for (let after: Sequence | undefined = 0; after !== undefined;) {
    const stretch = await ledger.checkEntries(tenant, after, pageSize, { signal: call.signal });
    entries += stretch.checked;
    for (const entry of stretch.damaged) {
      if (entry.damage === "text") texts++;
      else contents++;
      if (findings.length < mostFindings) findings.push(await findingOf(ledger, tenant, entry, call));
    }
    meter.add(stretch.checked, total);
    after = stretch.through;
  }
  const damaged = texts + contents;
  return { entries, damaged, isReadable: contents === 0, findings, notes: notesOf(texts, contents) };
}

async function findingOf(
  ledger: Ledger,
  tenant: TenantId,
  { ref, family, version, sequence, damage }: DamagedEntry,
  call: MaintenanceCall,
): Promise<MaintenanceFinding> {
  const place = { version: String(version), entry: String(sequence) };
  // What should be an id of a memory may be damaged, too.
  if (damage === "content") return { reason: "DAMAGED_ENTRY", details: { family, resource: ref, ...place } };
  const currentVersion = await currentVersionOf(ledger, tenant, ref, call);
  return { memory: ref, reason: "DAMAGED_TEXT", details: { ...place, currentVersion } };
}

async function currentVersionOf(ledger: Ledger, tenant: TenantId, ref: Ref, call: MaintenanceCall): Promise<string> {
  try {
    const current = (await ledger.memories(tenant, [ref], { signal: call.signal })).get(ref);
    return current === undefined ? "none" : String(current.memory.version);
  } catch (error) {
    if (LociError.is(error) && error.reason === "DATA_DIRECTORY_CORRUPT") return "unreadable";
    throw error;
  }
}

function notesOf(texts: number, contents: number): readonly string[] {
  const notes: string[] = [];
  if (texts > 0)
    notes.push(
      `${texts} versions of memories do not have the text that was written. Restore the last backup into another directory and ` +
        "look there what it was (`loci memories history ID`). Where the version is the current one, write it again: " +
        "`loci memories update ID --text …`. A former version stays damaged.",
    );
  if (contents > 0)
    notes.push(
      `${contents} entries of the log cannot be read, and the indexes were not compared with it. Keep a copy of the data and restore ` +
        "the last backup. What was written since can be had from this one with `loci export`, up to the first that cannot be read.",
    );
  if (notes.length > 0)
    notes.push("Look at the disk and the memory of the machine: a ledger is not damaged by itself.");
  return notes;
}
