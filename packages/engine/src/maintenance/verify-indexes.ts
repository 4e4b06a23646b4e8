import type { MaintenanceFinding, MaintenanceReport, Ref, Sequence, TenantId, Version } from "@loci/domain";
import { throwIfAborted } from "@loci/domain";
import { type Ledger, refOfChange, type StoredMemory } from "@loci/ledger";
import type { IndexChange, Projection } from "@loci/store";
import type { EngineServices } from "../engine-services.ts";
import { type IndexChangeMaker, textChangeMaker, vectorChangeMaker } from "../index-changes.ts";
import type { ProjectionDrainer } from "../projection-drainer.ts";
import { type MaintenanceCall, ProgressMeter } from "./maintenance-call.ts";

/** Memories of the ledger read at once, and index changes applied at once. */
const pageSize = 512;
export const maxFindings = 1_000;

/** One index that has to agree with the ledger. */
interface VerifiedIndex {
  readonly name: "vectors" | "text";
  readonly projection: Projection;
  readonly drainer: ProjectionDrainer;
  readonly makeChanges: IndexChangeMaker;
  /** Which of the active memories need no row: those without a vector, in a vector collection. */
  readonly mayBeMissing: (missing: readonly StoredMemory[]) => Promise<ReadonlySet<Ref>>;
}

type DifferenceReason = "MISSING_ROW" | "STALE_ROW" | "FOREIGN_ROW";

interface Difference {
  readonly ref: Ref;
  readonly reason: DifferenceReason;
  /** What the index has; 0 for nothing. */
  readonly found: Version;
  /** What the ledger has; 0 for no row. */
  readonly expected: Version;
}

/**
 * Compares what the ledger says is active with the rows of each index, by ref and version, both ways. What has changed in
 * the ledger since the index was read is none of its business: the drainer will bring it.
 *
 * With `repair` missing rows are applied, older ones replaced and foreign ones removed, and the result is read again.
 */
export async function verifyIndexes(
  services: EngineServices,
  tenant: TenantId,
  job: { readonly repair?: boolean | undefined },
  call: MaintenanceCall,
): Promise<MaintenanceReport> {
  const counts = { rows: 0, missing: 0, stale: 0, foreign: 0, repaired: 0, remaining: 0 };
  const findings: MaintenanceFinding[] = [];
  for (const index of indexesOf(services, tenant)) {
    const head = await services.ledger.head(tenant);
    await index.drainer.reach(tenant, head, call.signal);
    // While nothing is applied the index stands still, and so does its place in the log.
    await index.drainer.whileStill(
      tenant,
      async (position, signal) => {
        const still: MaintenanceCall = { ...call, signal };
        const differences = await compare(services.ledger, tenant, index, position, still);
        counts.rows += differences.rows;
        for (const { ref, reason, found, expected } of differences.found) {
          if (reason === "MISSING_ROW") counts.missing++;
          else if (reason === "STALE_ROW") counts.stale++;
          else counts.foreign++;
          const details = { index: index.name, foundVersion: String(found), expectedVersion: String(expected) };
          if (findings.length < maxFindings) findings.push({ memory: ref, reason, details });
        }
        if (job.repair !== true || differences.found.length === 0) return;
        await repair(services.ledger, tenant, index, position, differences.found, still);
        const after = await compare(services.ledger, tenant, index, position, still);
        counts.remaining += after.found.length;
        counts.repaired += differences.found.length - after.found.length;
      },
      call.signal,
    );
  }
  return { job: "verify", dryRun: job.repair !== true, counts, findings, notes: notesOf(job.repair === true, counts) };
}

function notesOf(
  isRepair: boolean,
  counts: { readonly missing: number; readonly stale: number; readonly foreign: number; readonly remaining: number },
): readonly string[] {
  if (counts.remaining > 0)
    return [
      `${counts.remaining} differences remain, as an index keeps newer marks of these rows. ` +
        "`loci reindex --to` another place builds indexes that have none.",
    ];
  const different = counts.missing + counts.stale + counts.foreign;
  return different > 0 && !isRepair ? ["`loci verify --repair` applies what the ledger says."] : [];
}

function indexesOf(services: EngineServices, tenant: TenantId): readonly VerifiedIndex[] {
  const { ledger, space, analyses, metadata, drainers } = services;
  return [
    {
      name: "vectors",
      projection: services.vectors,
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
      drainer: drainers.text,
      makeChanges: textChangeMaker(ledger, analyses, metadata),
      mayBeMissing: async () => new Set<Ref>(),
    },
  ];
}

async function compare(
  ledger: Ledger,
  tenant: TenantId,
  { name, projection, mayBeMissing }: VerifiedIndex,
  position: Sequence,
  call: MaintenanceCall,
): Promise<{ readonly rows: number; readonly found: readonly Difference[] }> {
  const rows = new Map<Ref, Version>();
  for await (const { ref, version } of projection.refs(tenant)) {
    if (rows.size % pageSize === 0) throwIfAborted(call.signal);
    rows.set(ref, version);
  }
  const found: Difference[] = [];
  const meter = new ProgressMeter(`comparing ${name}`, call);
  const total = await ledger.count(tenant, call);
  const size = rows.size;
  for (let after: Ref | undefined; ;) {
    const page = await ledger.scan(tenant, { after, limit: pageSize }, call);
    const missing: StoredMemory[] = [];
    for (const stored of page) {
      const { id: ref, version, state } = stored.memory;
      const row = rows.get(ref);
      rows.delete(ref);
      if (state !== "active") {
        if (row !== undefined) found.push({ ref, reason: "FOREIGN_ROW", found: row, expected: 0 });
      } else if (row === undefined) missing.push(stored);
      else if (row !== version) found.push({ ref, reason: "STALE_ROW", found: row, expected: version });
    }
    const needless = missing.length === 0 ? new Set<Ref>() : await mayBeMissing(missing);
    for (const { memory } of missing)
      if (!needless.has(memory.id))
        found.push({ ref: memory.id, reason: "MISSING_ROW", found: 0, expected: memory.version });
    meter.add(page.length, total);
    after = page.at(-1)?.memory.id;
    if (page.length < pageSize) break;
  }
  for (const [ref, version] of rows) found.push({ ref, reason: "FOREIGN_ROW", found: version, expected: 0 });
  const changing = found.length === 0 ? new Set<Ref>() : await changedSince(ledger, tenant, position, call);
  return { rows: size, found: found.filter(({ ref }) => !changing.has(ref)) };
}

async function changedSince(
  ledger: Ledger,
  tenant: TenantId,
  position: Sequence,
  call: MaintenanceCall,
): Promise<ReadonlySet<Ref>> {
  const refs = new Set<Ref>();
  for (let after = position; ;) {
    const changes = await ledger.changes(tenant, after, pageSize, call);
    for (const { change } of changes) refs.add(refOfChange(change));
    after = changes.at(-1)?.sequence ?? after;
    if (changes.length < pageSize) return refs;
  }
}

async function repair(
  ledger: Ledger,
  tenant: TenantId,
  { projection, makeChanges }: VerifiedIndex,
  position: Sequence,
  differences: readonly Difference[],
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
      change: { type: "memoryWritten", memory, contentHash } as const,
    }));
    changes.push(...(await makeChanges(tenant, recorded, call)));
    await projection.apply(tenant, changes, position, call);
  }
}
