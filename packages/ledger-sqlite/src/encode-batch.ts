import { setImmediate } from "node:timers/promises";
import type { CommitBatch } from "@loci/ledger";
import { encodeCommit, encodeCommitInTurns, type EncodedCommit, packVectors } from "@loci/ledger/sql";
import type { CommitOperation } from "./write-operation.ts";

/**
 * Turns a batch into what the writer thread needs and no more. Records become JSON here, because a string crosses to
 * another thread much faster than an object.
 */
export function encodeBatch(batch: CommitBatch): CommitOperation {
  return operationOf(batch, encodeCommit(batch));
}

/** The same, so that others have the thread between two long texts. */
export async function encodeBatchInTurns(batch: CommitBatch): Promise<CommitOperation> {
  return operationOf(batch, await encodeCommitInTurns(batch, setImmediate));
}

function operationOf(batch: CommitBatch, encoded: EncodedCommit): CommitOperation {
  const embeddings = batch.embeddings ?? [];
  const { values, bounds } = packVectors(embeddings.map((embedding) => embedding.vectors));
  return {
    type: "commit",
    ...encoded,
    embeddings: embeddings.map(({ space, contentHash, vectors }, index) => ({
      space,
      contentHash,
      chunks: vectors.length,
      ...(bounds[index] ?? { start: 0, end: 0 }),
    })),
    values,
  };
}
