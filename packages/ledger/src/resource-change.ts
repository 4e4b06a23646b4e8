import type { Ref, Scope, Version } from "@loci/domain";
import type { Family } from "./log-entry.ts";

/** A version of a resource came to be. What it means is its family's business. */
export interface ResourceWritten {
  readonly type: "resourceWritten";
  /** Any but `memories`. A ref belongs to one family for good. */
  readonly family: Family;
  /** What happened: the kind of the entry in the log. */
  readonly kind: string;
  readonly ref: Ref;
  /** The one before it plus 1. */
  readonly version: Version;
  readonly scope: Scope;
  /** What it belongs to among its family. Default nothing. */
  readonly group?: string | undefined;
  /** The whole resource as it is now, as JSON can hold it. The next version replaces it. */
  readonly state: unknown;
  /** What the log keeps of this version for good. Default: the state. */
  readonly payload?: unknown;
}

/** A resource was removed. The tombstone is a version of its own, and may be written over by the next one. */
export interface ResourceRemoved {
  readonly type: "resourceRemoved";
  readonly family: Family;
  readonly kind: string;
  readonly ref: Ref;
  /** The tombstone's version. */
  readonly version: Version;
}

/** What can happen to a resource of a family that has no tables of its own. */
export type ResourceChange = ResourceWritten | ResourceRemoved;

/** The kind of every entry of a resource that was purged, whatever its family: there is nothing left to read. */
export const resourcePurged = "resourcePurged";
