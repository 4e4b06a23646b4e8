import type { CallOptions, Instant, Ref, Sequence, TenantId, Version } from "@loci/domain";

/** A family of resources: what shares its kinds of entries, its tables and its readers. */
export type Family = string;

/** Memories and their embeddings of record. */
export const memoriesFamily: Family = "memories";

/** Sessions: their headers as resources, their turns in the entries. */
export const sessionFamily: Family = "session";

/** Turn states, each of the group of its session. */
export const turnStateFamily: Family = "turnState";

/** Blocks: their versions, and their removals. */
export const blockFamily: Family = "block";

/** What is kept of an owner of blocks: where its git mirror stands. Written with each change of its blocks. */
export const blockOwnerFamily: Family = "blockOwner";

/** Forms of blocks that a tenant has made. */
export const blockSchemaFamily: Family = "blockSchema";

/** Proposed changes of blocks, each of the group of its block. */
export const editFamily: Family = "edit";

/** Captures of sessions, each of the group of its session. */
export const captureFamily: Family = "capture";

/** Captures that are still to be carried out, all of the group {@link dueGroup}. */
export const dueCaptureFamily: Family = "captureDue";

export const dueGroup = "due";

/** What memories rest on, each of the group of its memory. */
export const evidenceFamily: Family = "evidence";

/** Memories that wait for approval. */
export const reviewFamily: Family = "review";

/** Who is behind an entry. */
export interface Author {
  /** Of the credential that asked for it. Absent: nobody's; Loci has done it by itself. */
  readonly subject?: string | undefined;
  /** What of Loci has decided it, such as the job `expire`. Absent: the caller. */
  readonly activity?: string | undefined;
}

/**
 * One thing that happened to one resource. Readers ask for the families they need, and pass over kinds they do not know:
 * those of a newer version.
 */
export interface LogEntry {
  readonly sequence: Sequence;
  /** By the ledger's clock; never less than that of the entry before. */
  readonly recordedAt: Instant;
  readonly family: Family;
  /** What happened. Each family has its own kinds. */
  readonly kind: string;
  /** The resource it is about. */
  readonly ref: Ref;
  /** The version it makes or concerns. */
  readonly version: Version;
  /** Absent: recorded before authors were, or purged. */
  readonly author?: Author;
  /** Why, in UPPER_SNAKE, where whoever decided it has said so. */
  readonly reason?: string;
  /** What its family reads by its kind. */
  readonly payload: unknown;
}

/** Which part of the log is asked for. */
export interface FamilyChoice {
  /** Default: every family. */
  readonly families?: readonly Family[] | undefined;
}

export interface LogReadOptions extends CallOptions, FamilyChoice {}

/** @param families those of the commit; `undefined` where the ledger cannot tell */
export type CommitListener = (tenant: TenantId, head: Sequence, families: readonly Family[] | undefined) => void;
