import type { Ref } from "@loci/domain";
import { type Ledger, memoriesFamily, memoryEntryOf, type StoredMemory } from "@loci/ledger";
import type { IndexChange, Projection } from "@loci/store";
import { compareIndex, type ComparedIndex, type Difference, type LogPosition } from "./compare-index.ts";
import type { MaintenanceCall } from "../calls/maintenance-call.ts";
import type { IndexChangeMaker } from "./index-changes.ts";
import type { LogProjection } from "./log-projection.ts";

export interface IndexProjectionOptions extends Pick<
  LogProjection,
  "name" | "isDurable" | "isImmediate" | "checkContents"
> {
  readonly ledger: Ledger;
  /** What reports call it. */
  readonly label: ComparedIndex["name"];
  readonly index: Projection;
  readonly makeChanges: IndexChangeMaker;
  /** How many rows it says a tenant has. */
  readonly count: ComparedIndex["count"];
  /** Which of the active memories need no row. Default: none of them. */
  readonly mayBeMissing?: ComparedIndex["mayBeMissing"] | undefined;
}

/** Differences mended at once. */
const pageSize = 512;

/** An index of memories as a projection of the log. */
export function indexProjection(options: IndexProjectionOptions): LogProjection {
  const { ledger, name, label, index, makeChanges, count, mayBeMissing = noneOf } = options;
  const { isDurable, isImmediate, checkContents } = options;
  const compared: ComparedIndex = { name: label, projection: index, count, mayBeMissing };
  return {
    name,
    families: [memoriesFamily],
    isDurable,
    isImmediate,
    checkContents,
    apply: async (tenant, entries, through, call = {}) =>
      index.apply(tenant, await makeChanges(tenant, entries, call), through, call),
    checkpoint: (tenant) => index.checkpoint(tenant),
    reset: index.reset === undefined ? undefined : async (tenant, call) => index.reset?.(tenant, call),
    verification: {
      name: label,
      compare: (place, call) => compareIndex(ledger, place, compared, call),
      repair: (place, differences, call) => repair(options, place, differences, call),
    },
  };
}

async function noneOf(): Promise<ReadonlySet<Ref>> {
  return new Set();
}

async function repair(
  { ledger, index, makeChanges }: IndexProjectionOptions,
  { tenant, position }: LogPosition,
  differences: readonly Difference[],
  call: MaintenanceCall,
): Promise<void> {
  for (let start = 0; start < differences.length; start += pageSize) {
    const some = differences.slice(start, start + pageSize);
    const refs = some.map(({ ref }) => ref);
    const stored: ReadonlyMap<Ref, StoredMemory> = await ledger.memories(tenant, refs, call);
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
    await index.apply(tenant, changes, position, { ...call, after: position });
  }
}
