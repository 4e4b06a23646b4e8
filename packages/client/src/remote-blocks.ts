import {
  approvedBlockEditFromProto,
  approveEditRequest,
  blockDiffFromProto,
  blockDiffRequest,
  blockDocumentFromProto,
  blockEditDetailsFromProto,
  blockEditFromProto,
  blockFromProto,
  blockHistoryFromProto,
  blockHistoryRequest,
  blockInputToProto,
  blockName,
  blockSchemaFromProto,
  blockSchemaToProto,
  blockUpdateToProto,
  blockWriteFromProto,
  demoteLineRequest,
  getBlockEditRequest,
  getBlockRequest,
  identifierToProto,
  listBlockEditsRequest,
  listBlockEditsResultFromProto,
  listBlocksRequest,
  memoriesFromProto,
  optionalEtagToProto,
  profileName,
  promoteMemoryRequest,
  proposeEditRequest,
  proto,
  restoreBlockRequest,
  searchArchivalRequest,
  updateProfileRequest,
  writableText,
} from "@loci/api";
import type { BlocksApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.BlockServiceService;

/** Blocks, kept by a server. */
export function remoteBlocks(calls: RunningCalls, server: ServerCalls): BlocksApi {
  return {
    schemas: {
      create: (schema, options) =>
        calls.run(options, async (call) => {
          const request = { schema: blockSchemaToProto(schema), requestId: call.requestId };
          const response = await server.unary(service.createBlockSchema, request, call);
          return server.read(response.schema, blockSchemaFromProto);
        }),
      list: (options) =>
        calls.run(options, async (call) => {
          const response = await server.unary(service.listBlockSchemas, {}, call);
          return server.read(response.schemas, (schemas) => schemas.map(blockSchemaFromProto));
        }),
      delete: (name, options) =>
        calls.run(options, async (call) => {
          const request = { name: writableText(name, "schema", "INVALID_BLOCK"), requestId: call.requestId };
          await server.unary(service.deleteBlockSchema, request, call);
        }),
    },
    profile: {
      update: (request, options) =>
        calls.run(options, async (call) => {
          const sent = { ...updateProfileRequest.toProto(request), requestId: call.requestId };
          return server.read(await server.unary(service.updateProfile, sent, call), blockWriteFromProto);
        }),
      summary: (name, options) =>
        calls.run(
          options,
          async (call) => (await server.unary(service.getProfileSummary, profileName.toProto(name), call)).summary,
        ),
      searchArchival: (request, options) =>
        calls.run(options, async (call) => {
          const sent = searchArchivalRequest.toProto(request);
          const response = await server.unary(service.searchArchival, sent, call);
          return server.read(response.memories, memoriesFromProto);
        }),
    },
    create: (input, options) =>
      calls.run(options, async (call) => {
        const request = { ...blockInputToProto(input), requestId: call.requestId };
        return server.read((await server.unary(service.createBlock, request, call)).block, blockFromProto);
      }),
    get: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.getBlock, getBlockRequest.toProto(request), call);
        return server.read(response.document, blockDocumentFromProto);
      }),
    list: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listBlocks, listBlocksRequest.toProto(request), call);
        return server.read(response.blocks, (blocks) => blocks.map(blockFromProto));
      }),
    update: (name, patch, precondition, options) =>
      calls.run(options, async (call) => {
        const request = { ...blockUpdateToProto({ name, patch, precondition }), requestId: call.requestId };
        return server.read(await server.unary(service.updateBlock, request, call), blockWriteFromProto);
      }),
    delete: (name, precondition, options) =>
      calls.run(options, async (call) => {
        const etag = optionalEtagToProto(precondition);
        const request = { ...blockName.toProto(name), etag, requestId: call.requestId };
        await server.unary(service.deleteBlock, request, call);
      }),
    history: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listBlockVersions, blockHistoryRequest.toProto(request), call);
        return server.read(response, blockHistoryFromProto);
      }),
    diff: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.diffBlockVersions, blockDiffRequest.toProto(request), call);
        return server.read(response, blockDiffFromProto);
      }),
    restore: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...restoreBlockRequest.toProto(request), requestId: call.requestId };
        return server.read(await server.unary(service.restoreBlock, sent, call), blockWriteFromProto);
      }),
    propose: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...proposeEditRequest.toProto(request), requestId: call.requestId };
        return server.read((await server.unary(service.proposeBlockEdit, sent, call)).edit, blockEditFromProto);
      }),
    getEdit: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.getBlockEdit, getBlockEditRequest.toProto(request), call);
        return server.read(response, blockEditDetailsFromProto);
      }),
    listEdits: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.listBlockEdits, listBlockEditsRequest.toProto(request), call);
        return server.read(response, listBlockEditsResultFromProto);
      }),
    approve: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...approveEditRequest.toProto(request), requestId: call.requestId };
        return server.read(await server.unary(service.approveBlockEdit, sent, call), approvedBlockEditFromProto);
      }),
    reject: (id, options) =>
      calls.run(options, async (call) => {
        const request = { id: identifierToProto(id, "id"), requestId: call.requestId };
        return server.read((await server.unary(service.rejectBlockEdit, request, call)).edit, blockEditFromProto);
      }),
    withdraw: (id, options) =>
      calls.run(options, async (call) => {
        const request = { id: identifierToProto(id, "id"), requestId: call.requestId };
        return server.read((await server.unary(service.withdrawBlockEdit, request, call)).edit, blockEditFromProto);
      }),
    promote: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...promoteMemoryRequest.toProto(request), requestId: call.requestId };
        return server.read(await server.unary(service.promoteMemory, sent, call), blockWriteFromProto);
      }),
    demote: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...demoteLineRequest.toProto(request), requestId: call.requestId };
        return server.read(await server.unary(service.demoteLine, sent, call), blockWriteFromProto);
      }),
  };
}
