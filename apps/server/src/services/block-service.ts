import {
  approveEditRequest,
  blockDiffRequest,
  blockDiffToProto,
  blockDocumentToProto,
  blockEditDetailsToProto,
  blockEditToProto,
  blockHistoryRequest,
  blockHistoryToProto,
  blockInputFromProto,
  blockName,
  blockSchemaFromProto,
  blockSchemaToProto,
  blockToProto,
  blockUpdateFromProto,
  blockWriteToProto,
  demoteLineRequest,
  getBlockEditRequest,
  getBlockRequest,
  listBlockEditsRequest,
  listBlockEditsResultToProto,
  listBlocksRequest,
  memoryToProto,
  optionalPreconditionFromProto,
  profileName,
  promoteMemoryRequest,
  proposeEditRequest,
  type proto,
  restoreBlockRequest,
  searchArchivalRequest,
  updateProfileRequest,
} from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import { writing } from "./writing-options.ts";

/** Keeping blocks, and deciding about their edits. What a method's rule does not say of rights the engine asks for. */
export const blockMethods: MethodsOf<typeof proto.BlockServiceService> = {
  createBlock: async (request, { loci, options }) => ({
    block: blockToProto(await loci.blocks.create(blockInputFromProto(request), writing(options, request))),
  }),
  getBlock: async (request, { loci, options }) => ({
    document: blockDocumentToProto(await loci.blocks.get(getBlockRequest.fromProto(request), options)),
  }),
  listBlocks: async (request, { loci, options }) => {
    const blocks = await loci.blocks.list(listBlocksRequest.fromProto(request), options);
    return { blocks: blocks.map(blockToProto) };
  },
  updateBlock: async (request, { loci, options }) => {
    const { name, patch, precondition } = blockUpdateFromProto(request);
    return blockWriteToProto(await loci.blocks.update(name, patch, precondition, writing(options, request)));
  },
  deleteBlock: async (request, { loci, options }) => {
    const precondition = optionalPreconditionFromProto(request.etag);
    await loci.blocks.delete(blockName.fromProto(request), precondition, writing(options, request));
    return {};
  },
  restoreBlock: async (request, { loci, options }) =>
    blockWriteToProto(await loci.blocks.restore(restoreBlockRequest.fromProto(request), writing(options, request))),
  listBlockVersions: async (request, { loci, options }) =>
    blockHistoryToProto(await loci.blocks.history(blockHistoryRequest.fromProto(request), options)),
  diffBlockVersions: async (request, { loci, options }) =>
    blockDiffToProto(await loci.blocks.diff(blockDiffRequest.fromProto(request), options)),
  proposeBlockEdit: async (request, { loci, options }) => {
    const edit = await loci.blocks.propose(proposeEditRequest.fromProto(request), writing(options, request));
    return { edit: blockEditToProto(edit) };
  },
  getBlockEdit: async (request, { loci, options }) =>
    blockEditDetailsToProto(await loci.blocks.getEdit(getBlockEditRequest.fromProto(request), options)),
  listBlockEdits: async (request, { loci, options }) =>
    listBlockEditsResultToProto(await loci.blocks.listEdits(listBlockEditsRequest.fromProto(request), options)),
  approveBlockEdit: async (request, { loci, options }) =>
    blockWriteToProto(await loci.blocks.approve(approveEditRequest.fromProto(request), writing(options, request))),
  rejectBlockEdit: async (request, { loci, options }) => ({
    edit: blockEditToProto(await loci.blocks.reject(request.id, writing(options, request))),
  }),
  withdrawBlockEdit: async (request, { loci, options }) => ({
    edit: blockEditToProto(await loci.blocks.withdraw(request.id, writing(options, request))),
  }),
  updateProfile: async (request, { loci, options }) => {
    const update = updateProfileRequest.fromProto(request);
    return blockWriteToProto(await loci.blocks.profile.update(update, writing(options, request)));
  },
  getProfileSummary: async (request, { loci, options }) => ({
    summary: await loci.blocks.profile.summary(profileName.fromProto(request), options),
  }),
  searchArchival: async (request, { loci, options }) => {
    const memories = await loci.blocks.profile.searchArchival(searchArchivalRequest.fromProto(request), options);
    return { memories: memories.map(memoryToProto) };
  },
  promoteMemory: async (request, { loci, options }) =>
    blockWriteToProto(await loci.blocks.promote(promoteMemoryRequest.fromProto(request), writing(options, request))),
  demoteLine: async (request, { loci, options }) =>
    blockWriteToProto(await loci.blocks.demote(demoteLineRequest.fromProto(request), writing(options, request))),
  createBlockSchema: async (request, { loci, options }) => {
    const schema = await loci.blocks.schemas.create(blockSchemaFromProto(request.schema), writing(options, request));
    return { schema: blockSchemaToProto(schema) };
  },
  listBlockSchemas: async (_request, { loci, options }) => {
    const schemas = await loci.blocks.schemas.list(options);
    return { schemas: schemas.map(blockSchemaToProto) };
  },
  deleteBlockSchema: async (request, { loci, options }) => {
    await loci.blocks.schemas.delete(request.name, writing(options, request));
    return {};
  },
};
