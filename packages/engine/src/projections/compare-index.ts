import { type Ref, type Sequence, type TenantId, throwIfAborted, type Version } from "@loci/domain";
import { type Ledger, memoriesFamily, type StoredMemory } from "@loci/ledger";
import type { Projection } from "@loci/store";
import { type MaintenanceCall, ProgressMeter } from "../calls/maintenance-call.ts";

/** Memories of the ledger read at once. */
const pageSize = 512;

/** One index that has to agree with the ledger. */
export interface ComparedIndex {
  readonly name: string;
  readonly projection: Projection;
  /** How many rows it says it has, which is not how many it lists when it has lost count. */
  readonly count: (tenant: TenantId) => Promise<number>;
  /** Which of the active memories need no row: those without a vector, in a vector collection. */
  readonly mayBeMissing: (tenant: TenantId, missing: readonly StoredMemory[]) => Promise<ReadonlySet<Ref>>;
}

export type DifferenceReason = "MISSING_ROW" | "STALE_ROW" | "FOREIGN_ROW" | "DOUBLED_ROW";

export interface Difference {
  readonly ref: Ref;
  readonly reason: DifferenceReason;
  /** What the index has; 0 for nothing. */
  readonly found: Version;
  /** What the ledger has; 0 for no row. */
  readonly expected: Version;
}

/** What was found in an index that stood still. */
export interface Comparison {
  /** Rows it lists, a doubled one as often as it does. */
  readonly rows: number;
  /** Rows it says it has beyond those it lists, or fewer. */
  readonly miscounted: number;
  readonly differences: readonly Difference[];
}

export interface LogPosition {
  readonly tenant: TenantId;
  /** Where the projection stands, and stays while it is looked at. */
  readonly position: Sequence;
}

/**
 * Compares what the ledger says is active with the rows of an index, by ref and version, both ways. A row that is listed
 * twice is one too many, whatever its versions. What has changed in the ledger since the index was read is left out.
 */
export async function compareIndex(
  ledger: Ledger,
  { tenant, position }: LogPosition,
  { name, projection, count, mayBeMissing }: ComparedIndex,
  call: MaintenanceCall,
): Promise<Comparison> {
  const rows = new Map<Ref, Version>();
  const doubled: Difference[] = [];
  let listed = 0;
  for await (const { ref, version } of projection.refs(tenant)) {
    if (listed++ % pageSize === 0) throwIfAborted(call.signal);
    const known = rows.get(ref);
    if (known !== undefined) doubled.push({ ref, reason: "DOUBLED_ROW", found: version, expected: known });
    rows.set(ref, Math.max(version, known ?? 0));
  }
  const miscounted = (await count(tenant)) - listed;
  const found: Difference[] = [];
  const meter = new ProgressMeter(`comparing ${name}`, call);
  const total = await ledger.count(tenant, call);
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
    const needless = missing.length === 0 ? new Set<Ref>() : await mayBeMissing(tenant, missing);
    for (const { memory } of missing)
      if (!needless.has(memory.id))
        found.push({ ref: memory.id, reason: "MISSING_ROW", found: 0, expected: memory.version });
    meter.add(page.length, total);
    after = page.at(-1)?.memory.id;
    if (page.length < pageSize) break;
  }
  for (const [ref, version] of rows) found.push({ ref, reason: "FOREIGN_ROW", found: version, expected: 0 });
  const changing = found.length === 0 ? new Set<Ref>() : await changedSince(ledger, tenant, position, call);
  const differences = [...doubled, ...found.filter(({ ref }) => !changing.has(ref))];
  return { rows: listed, miscounted, differences };
}

async function changedSince(
  ledger: Ledger,
  tenant: TenantId,
  position: Sequence,
  call: MaintenanceCall,
): Promise<ReadonlySet<Ref>> {
  const refs = new Set<Ref>();
  for (let after = position; ;) {
    const changes = await ledger.changes(tenant, after, pageSize, { ...call, families: [memoriesFamily] });
    for (const { ref } of changes) refs.add(ref);
    after = changes.at(-1)?.sequence ?? after;
    if (changes.length < pageSize) return refs;
  }
}
