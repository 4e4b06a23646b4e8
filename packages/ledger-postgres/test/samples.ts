import { hash } from "node:crypto";
import type { ContentHash, EmbeddingSpaceId, MemoryRecord, Ref, TenantId } from "@loci/domain";
import type { Change, CommitBatch, ResourceWritten } from "@loci/ledger";

export const tenant = "tenant" as TenantId;
export const space = "space" as EmbeddingSpaceId;

export function refNumber(number: number): Ref {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}` as Ref;
}

/** Of the text of the sample with this number. */
export function hashOfMemory(number: number): ContentHash {
  return hash("sha256", `memory ${number}`, "hex") as ContentHash;
}

export function sampleMemory(number: number, changes: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    id: refNumber(number),
    text: `memory ${number}`,
    category: "fact",
    scope: { kind: "user", id: "alice" },
    importance: 0.5,
    confidence: 1,
    isStatic: false,
    tags: ["tag"],
    origin: "manual",
    trust: "trusted",
    metadata: {},
    createdAt: number,
    updatedAt: number,
    version: 1,
    state: "active",
    ...changes,
  };
}

export function written(memory: MemoryRecord): Change {
  return { type: "memoryWritten", memory, contentHash: hashOfMemory(Number.parseInt(memory.id.slice(-12), 16)) };
}

/** A batch that writes memories, each with an embedding. */
export function batchOf(
  numbers: readonly number[],
  rest: Partial<CommitBatch> = {},
  of: TenantId = tenant,
): CommitBatch {
  return {
    tenant: of,
    author: { subject: "local" },
    scopePatterns: ["*"],
    expect: [],
    changes: numbers.map((number) => written(sampleMemory(number))),
    embeddings: numbers.map((number) => ({
      space,
      contentHash: hashOfMemory(number),
      vectors: [Float32Array.of(1, number)],
    })),
    ...rest,
  };
}

/** A resource of a family that has no table of its own. */
export function sampleResource(number: number): ResourceWritten {
  return {
    type: "resourceWritten",
    family: "notes",
    kind: "noteWritten",
    ref: refNumber(number),
    version: 1,
    scope: { kind: "user", id: "alice" },
    state: { title: `note ${number}` },
  };
}
