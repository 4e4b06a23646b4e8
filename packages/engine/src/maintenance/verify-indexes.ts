import type { MaintenanceFinding, MaintenanceReport, Ref, TenantId } from "@loci/domain";
import { type Ledger, memoryEntryOf } from "@loci/ledger";
import type { IndexChange } from "@loci/store";
import type { MaintenanceServices } from "./maintenance-services.ts";
import { type IndexChangeMaker, textChangeMaker, vectorChangeMaker } from "../projections/index-changes.ts";
import type { ProjectionDrainer } from "../projections/projection-drainer.ts";
import {
  type ComparedIndex,
  compareIndex,
  type Comparison,
  type Difference,
  type DifferenceReason,
  type IndexPosition,
} from "./compare-index.ts";
import type { MaintenanceCall } from "./maintenance-call.ts";

/** Differences mended at once. */
const pageSize = 512;
export const maxFindings = 1_000;

/** An index, and what brings changes to it. */
interface VerifiedIndex extends ComparedIndex {
  readonly drainer: ProjectionDrainer;
  readonly makeChanges: IndexChangeMaker;
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
  for (const index of indexesOf(services, tenant)) {
    const { before, after } = await inspect(services.ledger, tenant, { index, isRepair }, call);
    counts.rows += before.rows;
    for (const finding of findingsOf(index.name, before, counts))
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
  { index, isRepair }: { readonly index: VerifiedIndex; readonly isRepair: boolean },
  call: MaintenanceCall,
): Promise<{ readonly before: Comparison; readonly after: Comparison }> {
  await index.drainer.reach(tenant, await ledger.head(tenant), call.signal);
  // While nothing is applied the index stands still, and so does its place in the log.
  return index.drainer.whileStill(
    tenant,
    async (position, signal) => {
      const still: MaintenanceCall = { ...call, signal };
      const before = await compareIndex(ledger, { tenant, position }, index, still);
      // What begins again needs no change before.
      if (!isRepair || before.differences.length === 0 || (isUntrusted(before) && canBeginAgain(index)))
        return { before, after: before };
      await repair(ledger, index, { tenant, position, differences: before.differences }, still);
      return { before, after: await compareIndex(ledger, { tenant, position }, index, still) };
    },
    call.signal,
  );
}

/** Fills the tenant's index from the log once more, and compares again. */
async function rebuild(
  ledger: Ledger,
  tenant: TenantId,
  index: VerifiedIndex,
  call: MaintenanceCall,
): Promise<Comparison> {
  await index.drainer.beginAgain(tenant, call.signal);
  const { after } = await inspect(ledger, tenant, { index, isRepair: false }, call);
  return after;
}

function canBeginAgain({ projection }: VerifiedIndex): boolean {
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

function indexesOf(services: MaintenanceServices, tenant: TenantId): readonly VerifiedIndex[] {
  const { ledger, space, analyses, metadata, drainers } = services;
  return [
    {
      name: "vectors",
      projection: services.vectors,
      count: () => services.vectors.count(tenant),
      drainer: drainers.vectors,
      makeChanges: vectorChangeMaker(ledger, space, metadata),
      mayBeMissing: async (missing) => {
        const embedded = await ledger.embedded(tenant, space, [
          ...new Set(missing.map(({ contentHash }) => contentHash)),
        ]);
        return new Set(missing.filter(({ contentHash }) => !embedded.has(contentHash)).map(({ memory }) => memory.id));
      },
    },
    {
      name: "text",
      projection: services.textIndex,
      count: async () => (await services.textIndex.statistics(tenant, [])).documents,
      drainer: drainers.text,
      makeChanges: textChangeMaker(ledger, analyses, metadata),
      mayBeMissing: async () => new Set<Ref>(),
    },
  ];
}

interface FoundDifferences extends IndexPosition {
  readonly differences: readonly Difference[];
}

async function repair(
  ledger: Ledger,
  { projection, makeChanges }: VerifiedIndex,
  { tenant, position, differences }: FoundDifferences,
  call: MaintenanceCall,
): Promise<void> {
  for (let start = 0; start < differences.length; start += pageSize) {
    const some = differences.slice(start, start + pageSize);
    const stored = await ledger.memories(
      tenant,
      some.map(({ ref }) => ref),
      call,
    );
    const changes: IndexChange[] = [];
    for (const { ref, found } of some) {
      const current = stored.get(ref);
      // A row that the ledger has no memory for, or a newer version than it has, goes as the version it says it is.
      if (found > (current?.memory.version ?? 0)) changes.push({ type: "delete", ref, version: found });
    }
    const recorded = [...stored.values()].map(({ memory, contentHash, sequence, recordedAt }) => ({
      sequence,
      recordedAt,
      ...memoryEntryOf({ type: "memoryWritten", memory, contentHash }),
    }));
    changes.push(...(await makeChanges(tenant, recorded, call)));
    await projection.apply(tenant, changes, position, call);
  }
}
