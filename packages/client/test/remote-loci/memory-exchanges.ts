import * as api from "@loci/api";
import type { MemoryId } from "@loci/domain";
import { expect } from "vitest";
import { sampleMemory as memory } from "../sample-memory.ts";
import { requestId, scope, type Exchanges } from "./exchange.ts";

const { id } = memory;
const otherId = "0192f0c1-2345-7abc-8def-0123456789ac" as MemoryId;
const oneMemory = { memory: api.memoryToProto(memory) };
const memories = { memories: [api.memoryToProto(memory)] };

/** What is remembered, found again and forgotten. */
export const memoryExchanges: Exchanges = {
  createMemory: {
    call: ({ memories }) => memories.remember({ text: "text", scope: "user:alice" }, { requestId }),
    request: { memory: expect.objectContaining({ text: "text", scope }), requestId },
    response: oneMemory,
    result: memory,
  },
  batchCreateMemories: {
    call: ({ memories }) => memories.rememberMany([{ text: "text", scope: "user:alice" }], { requestId }),
    request: { memories: [expect.objectContaining({ text: "text", scope })], requestId },
    response: memories,
    result: [memory],
  },
  createMemoriesFromConversation: {
    call: ({ memories }) =>
      memories.rememberConversation(
        { scope: "user:alice", turns: [{ id: "1", speaker: "Alice", content: "Hi.", at: 1_001 }] },
        { requestId },
      ),
    request: {
      session: undefined,
      scope,
      turns: [{ id: "1", speaker: "Alice", content: "Hi.", time: { seconds: 1n, nanos: 1_000_000 } }],
      requestId,
    },
    response: memories,
    result: [memory],
  },
  getMemory: { call: ({ memories }) => memories.get(id), request: { id }, response: oneMemory, result: memory },
  batchGetMemories: {
    call: ({ memories }) => memories.getMany({ ids: [id, otherId], textBytes: 40 }),
    request: { ids: [id, otherId], textBytes: 40, withDeleted: undefined },
    response: { ...memories, cutIds: [id], missingIds: [otherId], unreadIds: [] },
    result: { memories: [memory], cut: [id], missing: [otherId], unread: [] },
  },
  listMemories: {
    call: ({ memories }) => memories.list({ scopes: ["user:alice"], pageSize: 1 }),
    request: { scopes: [scope], categories: [], pageSize: 1, pageToken: "", evaluationTime: undefined },
    response: { ...memories, nextPageToken: "next" },
    result: { memories: [memory], nextPageToken: "next" },
  },
  listMemoryScopes: {
    call: ({ memories }) => memories.scopes({ kind: "user", pageSize: 2 }),
    request: { kind: api.proto.ScopeKind.USER, pageSize: 2, pageToken: "" },
    response: {
      scopes: [
        { scope, memories: 2n ** 53n - 1n },
        // What a former version has stored; no new scope may be called so.
        { scope: { kind: api.proto.ScopeKind.USER, id: "*" }, memories: 1n },
      ],
      nextPageToken: "next",
    },
    result: {
      scopes: [
        { scope: { kind: "user", id: "alice" }, memories: Number.MAX_SAFE_INTEGER },
        { scope: { kind: "user", id: "*" }, memories: 1 },
      ],
      nextPageToken: "next",
    },
  },
  updateMemory: {
    call: ({ memories }) => memories.update(id, { slot: null, text: "new" }, { etag: `${id}.1` }, { requestId }),
    request: {
      memory: expect.objectContaining({ id, etag: `${id}.1`, text: "new" }),
      updateMask: ["slot", "text"],
      requestId,
    },
    response: oneMemory,
    result: memory,
  },
  deleteMemory: {
    call: ({ memories }) => memories.forget(id, undefined, { requestId }),
    request: { id, etag: undefined, requestId },
    response: {},
    result: undefined,
  },
  listMemoryVersions: {
    call: ({ memories }) => memories.versions(id),
    request: { id },
    response: memories,
    result: [memory],
  },
  restoreMemory: {
    call: ({ memories }) => memories.restore(id, 1, { requestId }),
    request: { id, version: 1n, requestId },
    response: oneMemory,
    result: memory,
  },
  markMemoriesUsed: {
    call: ({ memories }) => memories.markUsed([id]),
    request: { ids: [id] },
    response: {},
    result: undefined,
  },
};
