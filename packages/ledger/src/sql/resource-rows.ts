import type { Instant, Ref, Scope, Sequence, Version } from "@loci/domain";
import type { StoredResource } from "../ledger-resources.ts";
import type { Family } from "../log-entry.ts";
import { parseRecord } from "./record-json.ts";

/** A resource, as a query gives it. */
export interface ResourceRow {
  readonly ref: Ref;
  readonly family: Family;
  readonly scope_kind: Scope["kind"];
  /** Empty for global. */
  readonly scope_id: string;
  readonly belongs_to: string;
  readonly version: Version;
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly state: string | null;
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` */
export function storedResourceOf(row: ResourceRow): StoredResource {
  const { ref, family, scope_kind: kind, scope_id: id, belongs_to: group, version, sequence, state } = row;
  return {
    ref,
    family,
    scope: kind === "global" ? { kind } : { kind, id },
    ...(group === "" ? {} : { group }),
    version,
    sequence,
    recordedAt: row.recorded_at,
    ...(state === null ? {} : { state: parseRecord(state, sequence) }),
  };
}
