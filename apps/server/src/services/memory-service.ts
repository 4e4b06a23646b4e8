import {
  conversation,
  exportedMemoryToProto,
  exportRequest,
  getMemoriesRequest,
  getMemoriesResultToProto,
  int64FromProto,
  listMemoriesRequest,
  listMemoriesResultToProto,
  listMemoryScopesRequest,
  listMemoryScopesResultToProto,
  memoryChangeToProto,
  memoryIdsPartToProto,
  memoryIdsRequestFromProto,
  memoryToProto,
  memoryUpdateFromProto,
  namedMemoryFromProto,
  optionalPreconditionFromProto,
  type proto,
  recallRequestFromProto,
  recallResultToProto,
  rememberInputFromProto,
  watchRequestFromProto,
} from "@loci/api";
import { type MemoryId, packedIdBytes } from "@loci/loci";
import type { MethodsOf } from "../calls/served-calls.ts";
import { writing } from "./writing-options.ts";

/** Storing, reading, changing and recalling memories. Ids are checked by the engine, after the caller's rights. */
export const memoryMethods: MethodsOf<typeof proto.MemoryServiceService> = {
  createMemory: async (request, { loci, options }) => {
    const memory = await loci.memories.remember(rememberInputFromProto(request.memory), writing(options, request));
    return { memory: memoryToProto(memory) };
  },
  batchCreateMemories: async (request, { loci, options }) => {
    const inputs = request.memories.map((memory, index) => rememberInputFromProto(memory, `inputs[${index}]`));
    const memories = await loci.memories.rememberMany(inputs, writing(options, request));
    return { memories: memories.map(memoryToProto) };
  },
  createMemoriesFromConversation: async (request, { loci, options }) => {
    const input = conversation.fromProto(request);
    const memories = await loci.memories.rememberConversation(input, writing(options, request));
    return { memories: memories.map(memoryToProto) };
  },
  getMemory: async (request, { loci, options }) => ({
    memory: memoryToProto(await loci.memories.get(namedMemoryFromProto(request), options)),
  }),
  batchGetMemories: async (request, { loci, options }) =>
    getMemoriesResultToProto(await loci.memories.getMany(getMemoriesRequest.fromProto(request), options)),
  listMemories: async (request, { loci, options }) =>
    listMemoriesResultToProto(await loci.memories.list(listMemoriesRequest.fromProto(request), options)),
  listMemoryIds: async function* (request, { loci, options, keep }) {
    for await (const part of loci.memories.ids(memoryIdsRequestFromProto(request), options)) {
      // The whole list is there until its reader has the last part.
      if (part.offset === 0) keep(part.total * packedIdBytes);
      yield memoryIdsPartToProto(part);
    }
  },
  listMemoryScopes: async (request, { loci, options }) =>
    listMemoryScopesResultToProto(await loci.memories.scopes(listMemoryScopesRequest.fromProto(request), options)),
  updateMemory: async (request, { loci, options }) => {
    const { which, patch, precondition } = memoryUpdateFromProto(request);
    return { memory: memoryToProto(await loci.memories.update(which, patch, precondition, writing(options, request))) };
  },
  deleteMemory: async (request, { loci, options }) => {
    const precondition = optionalPreconditionFromProto(request.etag);
    await loci.memories.forget(request.id as MemoryId, precondition, writing(options, request));
    return {};
  },
  listMemoryVersions: async ({ id }, { loci, options }) => {
    const memories = await loci.memories.versions(id as MemoryId, options);
    return { memories: memories.map(memoryToProto) };
  },
  restoreMemory: async (request, { loci, options }) => {
    const version = int64FromProto(request.version, "version");
    const memory = await loci.memories.restore(request.id as MemoryId, version, writing(options, request));
    return { memory: memoryToProto(memory) };
  },
  markMemoriesUsed: async ({ ids }, { loci, options }) => {
    await loci.memories.markUsed(ids as MemoryId[], options);
    return {};
  },
  recallMemories: async (request, { loci, options }) =>
    recallResultToProto(await loci.recall(recallRequestFromProto(request), options)),
  watchMemories: async function* (request, { loci, options }) {
    for await (const change of loci.memories.watch(watchRequestFromProto(request), options))
      yield memoryChangeToProto(change);
  },
  exportMemories: async function* (request, { loci, options }) {
    for await (const memory of loci.memories.export(exportRequest.fromProto(request), options))
      yield exportedMemoryToProto(memory);
  },
};
