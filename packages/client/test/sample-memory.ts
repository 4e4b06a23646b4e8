import type { Etag, Memory, MemoryId } from "@loci/domain";

const id = "0192f0c1-2345-7abc-8def-0123456789ab" as MemoryId;

/** As a server gives it. */
export const sampleMemory: Memory = {
  id,
  text: "Alice prefers the dark theme. 🌙",
  category: "preference",
  scope: { kind: "user", id: "alice" },
  importance: 0.1 + 0.2,
  confidence: 1,
  isStatic: false,
  tags: ["ui"],
  slot: "theme",
  origin: "manual",
  trust: "trusted",
  metadata: { project: "loci", weight: -0, open: true },
  createdAt: 1_767_225_600_123,
  updatedAt: 1_767_225_600_123,
  version: 2,
  state: "active",
  etag: `${id}.2` as Etag,
  recordedAt: 1_767_225_600_456,
  usage: { accessCount: 0 },
  embedding: "ready",
};
