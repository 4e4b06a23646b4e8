import type { MemoryRecord } from "@loci/domain";
import type { Change, CommitBatch } from "@loci/ledger";
import { packVectors } from "./vector-blob.ts";
import type { CommitOperation, EncodedChange, IndexedFields } from "./write-operation.ts";

/**
 * Turns a batch into what the writer thread needs and no more. Records become JSON here, because a string crosses to
 * another thread much faster than an object.
 */
export function encodeBatch(batch: CommitBatch): CommitOperation {
  const embeddings = batch.embeddings ?? [];
  const { values, bounds } = packVectors(embeddings.map((embedding) => embedding.vectors));
  return {
    type: "commit",
    tenant: batch.principal.tenant,
    subject: batch.principal.subject,
    idempotency: batch.idempotency,
    expect: batch.expect,
    changes: batch.changes.map(encodeChange),
    embeddings: embeddings.map(({ space, contentHash, vectors }, index) => ({
      space,
      contentHash,
      chunks: vectors.length,
      ...(bounds[index] ?? { start: 0, end: 0 }),
    })),
    values,
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

/** What the indexes of the ledger file know of a memory. */
export function indexedFieldsOf(memory: MemoryRecord): IndexedFields {
  return {
    scope: memory.scope,
    active: memory.state === "active",
    category: memory.category,
    createdAt: memory.createdAt,
    expiresAt: memory.expiresAt ?? null,
    sourceId: memory.provenance?.sourceId ?? null,
    position: memory.provenance?.position ?? null,
    tags: lowerCaseTags(memory.tags),
  };
}

/** Tags as they are compared: in lower case, each once. */
export function lowerCaseTags(tags: readonly string[]): readonly string[] {
  return tags.length === 0 ? tags : [...new Set(tags.map((tag) => tag.toLowerCase()))];
}
