import type { CallOptions, Instant, NonEmpty, Ref, Scope, Sequence, TenantId, Version } from "@loci/domain";
import type { Family, LogEntry } from "./log-entry.ts";

/** A resource of any family as it is now. */
export interface StoredResource {
  readonly ref: Ref;
  readonly family: Family;
  readonly scope: Scope;
  /** What it belongs to among its family, such as the block of an edit. */
  readonly group?: string;
  readonly version: Version;
  /** Of the entry that made the version. */
  readonly sequence: Sequence;
  readonly recordedAt: Instant;
  /** What its family has written. Absent: it was removed, and this is its tombstone. */
  readonly state?: unknown;
}

/** Resources of one family: in some scopes, of one group, or of every group from one on. */
export type ResourceQuery = {
  readonly family: Family;
  /** The last ref of the stretch before. */
  readonly after?: Ref | undefined;
  readonly limit: number;
} & (
  | { readonly scopes: NonEmpty<Scope> }
  | { readonly group: string }
  /** Empty: from the first one. Of this group those behind `after`. In the order of groups, then of refs. */
  | { readonly fromGroup: string }
);

/** A stretch of what happened to one resource. */
export interface ResourceEntriesQuery {
  readonly family: Family;
  readonly ref: Ref;
  /** Only entries of versions after it. */
  readonly after?: Version | undefined;
  /** Only entries of versions before it. */
  readonly before?: Version | undefined;
  readonly order: "oldestFirst" | "newestFirst";
  readonly limit: number;
}

/** Reads resources of families that have no tables of their own. */
export interface ResourceTable {
  /** By ref, tombstones included. Absent: never was, was purged, or is of another family. */
  get(
    tenant: TenantId,
    family: Family,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<Ref, StoredResource>>;
  /** Those that were not removed, by ref, of many groups by group first. Fewer than `limit` only at the end. */
  list(tenant: TenantId, query: ResourceQuery, call?: CallOptions): Promise<readonly StoredResource[]>;
  /** Entries of one resource. Reads no more of its history than it gives. Of one that was purged there are none. */
  entries(tenant: TenantId, query: ResourceEntriesQuery, call?: CallOptions): Promise<readonly LogEntry[]>;
}

/** Resources of any family: written by `commit`, and read here. */
export interface LedgerResources {
  readonly resources: ResourceTable;
}
