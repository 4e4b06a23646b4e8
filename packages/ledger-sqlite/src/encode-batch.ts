import type { Change, CommitBatch } from "@loci/ledger";
import { indexedFieldsOf, packVectors, textKeyOf } from "@loci/ledger/sql";
import type { CommitOperation, EncodedChange } from "./write-operation.ts";

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
    expectTexts: (batch.expectTexts ?? []).map(({ text, ...rest }) => ({ ...rest, textKey: textKeyOf(text) })),
    changes: batch.changes.map(encodeChange),
    embeddings: embeddings.map(({ space, contentHash, vectors }, index) => ({
      space,
      contentHash,
      chunks: vectors.length,
      ...(bounds[index] ?? { start: 0, end: 0 }),
    })),
    values,
    modelUsage: batch.modelUsage,
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
