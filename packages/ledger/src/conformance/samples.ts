import { createHash } from "node:crypto";
import { type ContentHash, embeddingSpaceId, type EmbeddingSpaceId, type MemoryRecord, type Ref } from "@loci/domain";
import type { Change, EmbeddingOfRecord } from "../index.ts";

/** When the samples' world begins, by everybody's clock: 2027-01-15T08:00:00Z. */
export const beginning = 1_800_000_000_000;

export const dayMilliseconds = 86_400_000;

/** The ref of a number. Refs sort as their numbers do. */
export function refNumber(number: number): Ref {
  return `01900000-0000-7000-8000-${number.toString(16).padStart(12, "0")}` as Ref;
}

/** A memory in the scope `user:alice`, made `number` milliseconds after the beginning. */
export function sampleMemory(number: number, changes: Partial<MemoryRecord> = {}): MemoryRecord {
  const createdAt = beginning + number;
  return {
    id: refNumber(number),
    text: `memory ${number}`,
    category: "fact",
    scope: { kind: "user", id: "alice" },
    importance: 0.5,
    confidence: 1,
    isStatic: false,
    tags: [],
    origin: "manual",
    trust: "trusted",
    metadata: {},
    createdAt,
    updatedAt: createdAt,
    version: 1,
    state: "active",
    ...changes,
  };
}

export function contentHashOf(text: string): ContentHash {
  return createHash("sha256").update(text).digest("hex") as ContentHash;
}

export function written(memory: MemoryRecord): Change {
  return { type: "memoryWritten", memory, contentHash: contentHashOf(memory.text) };
}

export function removed(ref: Ref, version: number, removedAt: number = beginning): Change {
  return { type: "memoryRemoved", ref, version, removedAt };
}

export const space: EmbeddingSpaceId = embeddingSpaceId({
  provider: "test",
  model: "a",
  dimensions: 4,
  version: "1",
});

export const otherSpace: EmbeddingSpaceId = embeddingSpaceId({
  provider: "test",
  model: "b",
  dimensions: 2,
  version: "1",
});

/** An embedding of a text: one vector, different for every `seed`. */
export function sampleEmbedding(text: string, seed = 1, inSpace: EmbeddingSpaceId = space): EmbeddingOfRecord {
  return { space: inSpace, contentHash: contentHashOf(text), vectors: [sampleVector(seed)] };
}

export function sampleVector(seed: number): Float32Array {
  return Float32Array.of(Math.fround(Math.sin(seed)), Math.fround(Math.cos(seed)), 0, 0);
}
