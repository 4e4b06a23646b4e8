import { hash } from "node:crypto";
import type { ContentHash, EmbeddingSpaceId, MemoryRecord, Ref, TenantId } from "@loci/domain";
import type { CommitBatch, ResourceWritten } from "@loci/ledger";

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

/** A batch that writes memories, each with an embedding. */
export function sampleBatch(memories: readonly MemoryRecord[], numbers: readonly number[]): CommitBatch {
  return {
    tenant,
    author: { subject: "local" },
    scopePatterns: ["*"],
    expect: [],
    changes: memories.map((memory, index) => ({
      type: "memoryWritten",
      memory,
      contentHash: hashOfMemory(numbers[index] ?? 0),
    })),
    embeddings: numbers.map((number) => ({
      space,
      contentHash: hashOfMemory(number),
      vectors: [Float32Array.from({ length: 256 }, (_, index) => number + index)],
    })),
  };
}

export function batchOf(...numbers: readonly number[]): CommitBatch {
  return sampleBatch(
    numbers.map((number) => sampleMemory(number)),
    numbers,
  );
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
