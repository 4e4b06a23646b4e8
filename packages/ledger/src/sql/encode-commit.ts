import type { ContentHash, Ref, Scope, Version } from "@loci/domain";
import type { Change, EmbeddingRecorded, MemoryRemoved } from "../change.ts";
import type { CommitBatch, TextExpectation } from "../commit-batch.ts";
import { type Family, memoriesFamily } from "../log-entry.ts";
import type { ResourceChange } from "../resource-change.ts";
import { type IndexedFields, indexedFieldsOf } from "./indexed-fields.ts";
import { textKeyOf } from "./text-key.ts";

/** A written version, taken apart for its row and its indexes. */
export interface EncodedMemory {
  readonly type: "memoryWritten";
  readonly ref: Ref;
  readonly version: Version;
  readonly contentHash: ContentHash;
  /** The whole record as JSON. */
  readonly record: string;
  readonly fields: IndexedFields;
}

/** A change of a resource, taken apart for its row and its entry. */
export interface EncodedResource {
  readonly type: "resource";
  readonly family: Family;
  readonly kind: string;
  readonly ref: Ref;
  readonly version: Version;
  /** Absent: it is removed. */
  readonly written:
    | {
        readonly scope: Scope;
        /** Empty: none. */
        readonly group: string;
        /** As JSON. */
        readonly state: string;
        /** As JSON. */
        readonly payload: string;
      }
    | undefined;
}

export type EncodedMemoryChange = EncodedMemory | MemoryRemoved | EmbeddingRecorded;

export type EncodedChange = EncodedMemoryChange | EncodedResource;

/** A text expectation, its text as memories are found by it. */
export interface EncodedTextExpectation extends Omit<TextExpectation, "text"> {
  readonly textKey: string;
}

/** What of a batch decides whether it is committed, and what it writes but for vectors. */
export interface EncodedCommit extends Pick<
  CommitBatch,
  "tenant" | "author" | "scopePatterns" | "reason" | "idempotency" | "expect" | "modelUsage"
> {
  readonly expectTexts: readonly EncodedTextExpectation[];
  readonly changes: readonly EncodedChange[];
  readonly decisions: NonNullable<CommitBatch["decisions"]>;
}

export function encodeCommit(batch: CommitBatch): EncodedCommit {
  const { tenant, author, scopePatterns, reason, idempotency, expect, modelUsage } = batch;
  return {
    tenant,
    author,
    scopePatterns,
    reason,
    idempotency,
    expect,
    modelUsage,
    expectTexts: (batch.expectTexts ?? []).map(({ text, ...rest }) => ({ ...rest, textKey: textKeyOf(text) })),
    changes: batch.changes.map(encodeChange),
    decisions: batch.decisions ?? [],
  };
}

/** The families of what a batch changes. */
export function familiesOf(changes: CommitBatch["changes"]): readonly Family[] {
  return [...new Set(changes.map((change) => ("family" in change ? change.family : memoriesFamily)))];
}

function encodeChange(change: Change | ResourceChange): EncodedChange {
  if (change.type === "resourceRemoved") return { ...change, type: "resource", written: undefined };
  if (change.type === "resourceWritten") {
    const { family, kind, ref, version, scope, group = "", state, payload } = change;
    const encoded = JSON.stringify(state);
    const written = {
      scope,
      group,
      state: encoded,
      payload: payload === undefined ? encoded : JSON.stringify(payload),
    };
    return { type: "resource", family, kind, ref, version, written };
  }
  if (change.type !== "memoryWritten") return change;
  const { memory, contentHash } = change;
  return {
    type: "memoryWritten",
    ref: memory.id,
    version: memory.version,
    contentHash,
    record: JSON.stringify(memory),
    fields: indexedFieldsOf(memory),
  };
}
