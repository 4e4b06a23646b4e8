import type { MaintenanceFinding, MaintenanceReport, TenantId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import type { Comparison, DifferenceReason } from "../projections/compare-index.ts";
import type { DrainedProjection } from "../projections/drained-projection.ts";
import { keptProjections } from "../projections/kept-projections.ts";
import type { Verification } from "../projections/log-projection.ts";
import type { MaintenanceServices } from "./maintenance-services.ts";

export const maxFindings = 1_000;

/** A projection that can be compared with the ledger. */
interface Verified extends Pick<DrainedProjection, "drainer" | "projection"> {
  readonly verification: Verification;
}

interface VerifyCounts {
  rows: number;
  missing: number;
  stale: number;
  foreign: number;
  doubled: number;
  miscounted: number;
  repaired: number;
  remaining: number;
  rebuilt: number;
}

/**
 * Compares what the ledger says is active with the rows of each index. What has changed in the ledger since the index was
 * read is none of its business: the drainer will bring it.
 *
 * With `repair` missing rows are applied, older ones replaced and foreign ones removed, and the result is read again. What
 * cannot be mended so, as rows that are there twice, is mended by filling the tenant's index from the log once more.
 */
export async function verifyIndexes(
  services: MaintenanceServices,
  tenant: TenantId,
  job: { readonly repair?: boolean | undefined },
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const isRepair = job.repair === true;
  const counts: VerifyCounts = {
    rows: 0,
    missing: 0,
    stale: 0,
    foreign: 0,
    doubled: 0,
    miscounted: 0,
    repaired: 0,
    remaining: 0,
    rebuilt: 0,
  };
  const findings: MaintenanceFinding[] = [];
  for (const index of verifiable(services)) {
    const { before, after } = await inspect(services.ledger, tenant, { index, isRepair }, call);
    counts.rows += before.rows;
    for (const finding of findingsOf(index.verification.name, before, counts))
      if (findings.length < maxFindings) findings.push(finding);
    if (!isRepair) continue;
    const left = isRight(after) || !canBeginAgain(index) ? after : await rebuild(services.ledger, tenant, index, call);
    if (left !== after) counts.rebuilt++;
    counts.remaining += differencesOf(left);
    counts.repaired += differencesOf(before) - differencesOf(left);
  }
  return { job: "verify", dryRun: !isRepair, counts: { ...counts }, findings, notes: notesOf(isRepair, counts) };
}

/** Compares an index, and mends what changes can mend. @returns what was found, and what is left of it */
async function inspect(
  ledger: Ledger,
  tenant: TenantId,
  { index, isRepair }: { readonly index: Verified; readonly isRepair: boolean },
  call: MaintenanceCall,
): Promise<{ readonly before: Comparison; readonly after: Comparison }> {
  const { verification } = index;
  await index.drainer.reach(tenant, await ledger.head(tenant), call.signal);
  // While nothing is applied the index stands still, and so does its place in the log.
  return index.drainer.whileStill(
    tenant,
    async (position, signal) => {
      const still: MaintenanceCall = { ...call, signal };
      const place = { tenant, position };
      const before = await verification.compare(place, still);
      // What begins again needs no change before.
      if (!isRepair || before.differences.length === 0 || (isUntrusted(before) && canBeginAgain(index)))
        return { before, after: before };
      await verification.repair(place, before.differences, still);
      return { before, after: await verification.compare(place, still) };
    },
    call.signal,
  );
}

/** Fills the tenant's index from the log once more, and compares again. */
async function rebuild(ledger: Ledger, tenant: TenantId, index: Verified, call: MaintenanceCall): Promise<Comparison> {
  await index.drainer.beginAgain(tenant, call.signal);
  const { after } = await inspect(ledger, tenant, { index, isRepair: false }, call);
  return after;
}

function canBeginAgain({ projection }: Verified): boolean {
  return projection.reset !== undefined;
}

/** Whether an index has shown that its own bookkeeping is wrong. */
function isUntrusted({ differences, miscounted }: Comparison): boolean {
  return miscounted !== 0 || differences.some(({ reason }) => reason === "DOUBLED_ROW");
}

function isRight({ differences, miscounted }: Comparison): boolean {
  return differences.length === 0 && miscounted === 0;
}

function differencesOf({ differences, miscounted }: Comparison): number {
  return differences.length + Math.abs(miscounted);
}

/** What is told of each difference. Adds them to the counts. */
function* findingsOf(
  index: string,
  { rows, differences, miscounted }: Comparison,
  counts: VerifyCounts,
): Generator<MaintenanceFinding> {
  for (const { ref, reason, found, expected } of differences) {
    counts[countNames[reason]]++;
    yield { memory: ref, reason, details: { index, foundVersion: String(found), expectedVersion: String(expected) } };
  }
  counts.miscounted += Math.abs(miscounted);
  if (miscounted === 0) return;
  yield { reason: "MISCOUNTED_ROWS", details: { index, counted: String(rows + miscounted), listed: String(rows) } };
}

const countNames = {
  MISSING_ROW: "missing",
  STALE_ROW: "stale",
  FOREIGN_ROW: "foreign",
  DOUBLED_ROW: "doubled",
} as const satisfies Record<DifferenceReason, keyof VerifyCounts>;

function notesOf(isRepair: boolean, counts: VerifyCounts): readonly string[] {
  const { missing, stale, foreign, doubled, miscounted, remaining, rebuilt } = counts;
  const notes: string[] = [];
  if (rebuilt > 0)
    notes.push(`${rebuilt} of the indexes could not be mended row by row and was built again from the log.`);
  if (remaining > 0)
    notes.push(
      `${remaining} differences remain, which an index cannot mend. ` +
        "`loci reindex --to` another place builds indexes that have none.",
    );
  const different = missing + stale + foreign + doubled + miscounted;
  if (different > 0 && !isRepair) notes.push("`loci verify --repair` applies what the ledger says.");
  return notes;
}

function verifiable(services: MaintenanceServices): readonly Verified[] {
  return keptProjections(services).flatMap(({ drainer, projection }) => {
    const { verification } = projection;
    return verification === undefined ? [] : [{ drainer, projection, verification }];
  });
}
