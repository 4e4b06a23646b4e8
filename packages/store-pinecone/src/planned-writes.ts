import type { Ref, Version } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import type { PineconeRecord } from "@pinecone-database/pinecone";
import { recordId, recordsOf, type RowHead, tombstoneOf } from "./records.ts";

export interface PlannedWrites {
  readonly upserts: readonly PineconeRecord[];
  /** Records that the new version of a row has no use for. */
  readonly deletes: readonly string[];
  /** How the touched rows stand afterwards. */
  readonly heads: readonly RowHead[];
}

interface PlannedRow {
  readonly head: RowHead;
  readonly records: readonly PineconeRecord[];
}

/**
 * What has to be written so that these changes have taken effect, in their order: an older version never replaces a newer
 * one, and what was deleted comes back only by a newer version.
 *
 * @param heads how the rows that are named stand now
 * @param attempted how many records there may be of a row besides, as of a batch that failed
 */
export function planWrites(
  changes: readonly IndexChange[],
  heads: ReadonlyMap<Ref, RowHead>,
  dimensions: number,
  attempted: (ref: Ref) => number = () => 0,
): PlannedWrites {
  const planned = new Map<Ref, PlannedRow>();
  for (const change of changes) {
    const { ref, version } = change;
    const current = planned.get(ref)?.head ?? heads.get(ref);
    if (change.type === "delete") {
      if (current !== undefined && !isTombstone(current) && version < current.version) continue;
      planned.set(ref, tombstone(ref, Math.max(version, lastDeleted(current)), dimensions));
    } else if (mayReplace(version, current)) {
      const records = recordsOf(change, dimensions);
      planned.set(ref, { head: headOf(records, change), records });
    }
  }
  const rows = [...planned];
  return {
    upserts: rows.flatMap(([, { records }]) => records),
    deletes: rows.flatMap(([ref, { head }]) => {
      const before = Math.max(heads.get(ref)?.records ?? 0, attempted(ref));
      return Array.from({ length: Math.max(0, before - head.records) }, (_, index) =>
        recordId(ref, head.records + index),
      );
    }),
    heads: rows.map(([, { head }]) => head),
  };
}

function mayReplace(version: Version, current: RowHead | undefined): boolean {
  if (current === undefined) return true;
  return isTombstone(current) ? version > current.version : version >= current.version;
}

function tombstone(ref: Ref, version: Version, dimensions: number): PlannedRow {
  return {
    head: { ref, version, kind: "tombstone", records: 1 },
    records: [tombstoneOf(ref, version, dimensions)],
  };
}

function headOf(
  records: readonly PineconeRecord[],
  { ref, version, vectors }: { ref: Ref; version: Version; vectors: readonly Float32Array[] },
): RowHead {
  return { ref, version, kind: vectors.length === 0 ? "none" : "vector", records: records.length };
}

function lastDeleted(current: RowHead | undefined): Version {
  return current !== undefined && isTombstone(current) ? current.version : 0;
}

function isTombstone({ kind }: RowHead): boolean {
  return kind === "tombstone";
}
