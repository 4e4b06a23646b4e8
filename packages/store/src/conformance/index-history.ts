import type { Ref, Sequence, TenantId, Version } from "@loci/domain";
import type { IndexChange } from "../index-change.ts";
import type { Projection } from "../projection.ts";
import type { FoundRow } from "./index-context.ts";
import { tenant as sampleTenant } from "./sample-rows.ts";

/** Changes that are applied together. */
export interface HistoryBatch {
  readonly changes: readonly IndexChange[];
  readonly through: Sequence;
}

/** The changes handed to an index, in the order of the log: what it must hold at any place that it may stand at. */
export class IndexHistory {
  readonly #batches: HistoryBatch[] = [];

  /** Where the last batch ends. */
  get head(): Sequence {
    return this.#batches.at(-1)?.through ?? 0;
  }

  /** Adds a batch whose changes have the version of their place in the log. @returns where it ends */
  add(changes: readonly IndexChange[]): Sequence {
    const through = this.head + changes.length;
    this.#batches.push({ through, changes });
    return through;
  }

  /** Whether an index can stand there: batches are applied whole. */
  canStandAt(place: Sequence): boolean {
    return place === 0 || this.#batches.some(({ through }) => through === place);
  }

  /** What an index that stands there does not have yet. */
  after(place: Sequence): readonly HistoryBatch[] {
    return this.#batches.filter(({ through }) => through > place);
  }

  /** The live rows of an index that stands there, in the order of their refs. */
  rowsAt(place: Sequence): readonly FoundRow[] {
    const rows = new Map<Ref, Version>();
    for (const { through, changes } of this.#batches) {
      if (through > place) break;
      for (const { type, ref, version } of changes)
        if (type === "upsert") rows.set(ref, version);
        else rows.delete(ref);
    }
    return [...rows].map(([ref, version]) => ({ ref, version })).toSorted(byRef);
  }
}

/** What an index lists, every row as often as it does, in the order of their refs. */
export async function listedRows(
  projection: Pick<Projection, "refs">,
  tenant: TenantId = sampleTenant,
): Promise<readonly FoundRow[]> {
  const rows: FoundRow[] = [];
  for await (const { ref, version } of projection.refs(tenant)) rows.push({ ref, version });
  return rows.toSorted(byRef);
}

function byRef(left: FoundRow, right: FoundRow): number {
  return left.ref === right.ref ? left.version - right.version : left.ref < right.ref ? -1 : 1;
}
