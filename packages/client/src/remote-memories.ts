import {
  conversation,
  exportedMemoryFromProto,
  exportRequest,
  getMemoriesRequest,
  getMemoriesResultFromProto,
  identifierToProto,
  listMemoriesRequest,
  listMemoriesResultFromProto,
  listMemoryScopesRequest,
  listMemoryScopesResultFromProto,
  memoriesFromProto,
  memoryChangeFromProto,
  memoryFromProto,
  memoryIdsPartFromProto,
  memoryIdsRequestToProto,
  memoryUpdateToProto,
  namedMemoryToProto,
  optionalEtagToProto,
  proto,
  rememberInputToProto,
  watchRequestToProto,
  writableInt64,
  writableList,
} from "@loci/api";
import type {
  ExportedMemory,
  ExportMemoriesRequest,
  MemoriesApi,
  MemoryChange,
  MemoryIdsPart,
  MemoryIdsRequest,
  WatchMemoriesRequest,
} from "@loci/domain";
import type { RunningCall, RunningCalls } from "./running-calls.ts";
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
        const request = { ...conversation.toProto(input), requestId: call.requestId };
        return readMemories(await server.unary(service.createMemoriesFromConversation, request, call));
      }),
    get: (which, options) =>
      calls.run(options, async (call) =>
        readMemory(await server.unary(service.getMemory, namedMemoryToProto(which), call)),
      ),
    getMany: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.batchGetMemories, getMemoriesRequest.toProto(request), call);
        return server.read(response, getMemoriesResultFromProto);
      }),
    list: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listMemories, listMemoriesRequest.toProto(request), call);
        return server.read(response, listMemoriesResultFromProto);
      }),
    scopes: (request = {}, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listMemoryScopes, listMemoryScopesRequest.toProto(request), call);
        return server.read(response, listMemoryScopesResultFromProto);
      }),
    update: (which, patch, precondition, options) =>
      calls.run(options, async (call) => {
        const request = { ...memoryUpdateToProto({ which, patch, precondition }), requestId: call.requestId };
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
    ids: (request, options) => calls.stream(options, (call) => allIds(request, call)),
    watch: (request, options) => calls.stream(options, (call) => watch(request, call)),
    export: (request = {}, options) => calls.stream(options, (call) => exportAll(request, call)),
  };

  async function* allIds(
    request: MemoryIdsRequest,
    call: Omit<RunningCall, "requestId">,
  ): AsyncGenerator<MemoryIdsPart, void, undefined> {
    const first = memoryIdsRequestToProto(request);
    // The list may be another one by now, so it begins anew.
    for await (const response of server.stream(service.listMemoryIds, first, () => first, call))
      yield server.read(response, memoryIdsPartFromProto);
  }

  async function* watch(
    request: WatchMemoriesRequest,
    call: Omit<RunningCall, "requestId">,
  ): AsyncGenerator<MemoryChange, void, undefined> {
    const first = watchRequestToProto(request);
    const resumed = ({ cursor }: proto.WatchMemoriesResponse): typeof first => ({
      ...first,
      since: { $case: "cursor", value: cursor },
    });
    for await (const response of server.stream(service.watchMemories, first, resumed, call))
      yield server.read(response, memoryChangeFromProto);
  }

  async function* exportAll(
    request: ExportMemoriesRequest,
    call: Omit<RunningCall, "requestId">,
  ): AsyncGenerator<ExportedMemory, void, undefined> {
    const first = exportRequest.toProto(request);
    const resumed = ({ id }: proto.MemoryServiceExportMemoriesResponse): typeof first => ({ afterId: id });
    for await (const response of server.stream(service.exportMemories, first, resumed, call))
      yield server.read(response, exportedMemoryFromProto);
  }

  function readMemory(response: { readonly memory: proto.Memory | undefined }): ReturnType<typeof memoryFromProto> {
    return server.read(response.memory, memoryFromProto);
  }

  function readMemories(response: { readonly memories: proto.Memory[] }): ReturnType<typeof memoriesFromProto> {
    return server.read(response.memories, memoriesFromProto);
  }
}
