import type { ContentHash, Ref, Version } from "@loci/domain";
import type { Change, EmbeddingRecorded, MemoryRemoved } from "../change.ts";
import type { CommitBatch, TextExpectation } from "../commit-batch.ts";
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

export type EncodedChange = EncodedMemory | MemoryRemoved | EmbeddingRecorded;

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

function encodeChange(change: Change): EncodedChange {
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
