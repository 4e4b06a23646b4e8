import {
  conversationToProto,
  identifierToProto,
  listMemoriesRequestToProto,
  listMemoriesResultFromProto,
  memoriesFromProto,
  memoryFromProto,
  memoryUpdateToProto,
  optionalEtagToProto,
  proto,
  rememberInputToProto,
  writableInt64,
  writableList,
} from "@loci/api";
import type { MemoriesApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.MemoryServiceService;

/** Memories, stored and read by a server. */
export function remoteMemories(calls: RunningCalls, server: ServerCalls): MemoriesApi {
  return {
    remember: (input, options) =>
      calls.run(options, async (call) => {
        const request = { memory: rememberInputToProto(input), requestId: call.requestId };
        return readMemory(await server.unary(service.createMemory, request, call));
      }),
    rememberMany: (inputs, options) =>
      calls.run(options, async (call) => {
        const memories = writableList(inputs, "inputs").map((input, index) =>
          rememberInputToProto(input, `inputs[${index}]`),
        );
        return readMemories(
          await server.unary(service.batchCreateMemories, { memories, requestId: call.requestId }, call),
        );
      }),
    rememberConversation: (input, options) =>
      calls.run(options, async (call) => {
        const request = { ...conversationToProto(input), requestId: call.requestId };
        return readMemories(await server.unary(service.createMemoriesFromConversation, request, call));
      }),
    get: (id, options) =>
      calls.run(options, async (call) =>
        readMemory(await server.unary(service.getMemory, { id: identifierToProto(id, "id") }, call)),
      ),
    list: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listMemories, listMemoriesRequestToProto(request), call);
        return server.read(response, listMemoriesResultFromProto);
      }),
    update: (id, patch, precondition, options) =>
      calls.run(options, async (call) => {
        const request = { ...memoryUpdateToProto({ id, patch, precondition }), requestId: call.requestId };
        return readMemory(await server.unary(service.updateMemory, request, call));
      }),
    forget: (id, precondition, options) =>
      calls.run(options, async (call) => {
        const etag = optionalEtagToProto(precondition);
        const request = { id: identifierToProto(id, "id"), etag, requestId: call.requestId };
        await server.unary(service.deleteMemory, request, call);
      }),
    versions: (id, options) =>
      calls.run(options, async (call) =>
        readMemories(await server.unary(service.listMemoryVersions, { id: identifierToProto(id, "id") }, call)),
      ),
    restore: (id, version, options) =>
      calls.run(options, async (call) => {
        const request = {
          id: identifierToProto(id, "id"),
          version: writableInt64(version, "version"),
          requestId: call.requestId,
        };
        return readMemory(await server.unary(service.restoreMemory, request, call));
      }),
    markUsed: (ids, options) =>
      calls.run(options, async (call) => {
        const request = {
          ids: writableList(ids, "ids").map((id, index) => identifierToProto(id, `ids[${index}]`)),
        };
        // Counting twice would be wrong, and there is no key to recognise the second time by.
        await server.unary(service.markMemoriesUsed, request, call, false);
      }),
  };

  function readMemory(response: { readonly memory: proto.Memory | undefined }): ReturnType<typeof memoryFromProto> {
    return server.read(response.memory, memoryFromProto);
  }

  function readMemories(response: { readonly memories: proto.Memory[] }): ReturnType<typeof memoriesFromProto> {
    return server.read(response.memories, memoriesFromProto);
  }
}
