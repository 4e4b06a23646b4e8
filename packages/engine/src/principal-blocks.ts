import type { BlocksApi, BlockWrite, CallOptions } from "@loci/domain";
import { blockAnswer } from "./calls/answers-to-writers.ts";
import { blockHistory, diffBlock, getBlock, listBlocks, restoreBlock } from "./blocks/block-history.ts";
import { createSchema, deleteSchema, listSchemas } from "./blocks/block-schemas.ts";
import { createBlock, deleteBlock, updateBlock } from "./blocks/change-block.ts";
import { demoteLine, promoteMemory } from "./blocks/core-memory.ts";
import { approveBlockEdit, closeBlockEdit, getBlockEdit } from "./blocks/decide-edit.ts";
import { listBlockEdits } from "./blocks/list-edits.ts";
import { profileSummary, searchArchival, updateProfile } from "./blocks/profile.ts";
import { proposeBlockEdit } from "./blocks/propose-edit.ts";
import type { RunCall } from "./run-call.ts";

/** The calls on blocks as one principal may make them. */
export function principalBlocks(run: RunCall): BlocksApi {
  const writing = <Write extends BlockWrite>(
    options: CallOptions | undefined,
    work: (...given: Parameters<Parameters<RunCall>[1]>) => Promise<Write>,
  ): Promise<Write> => run(options, async (services, call) => blockAnswer(call.principal, await work(services, call)));
  return {
    schemas: {
      create: (schema, options) => run(options, (services, call) => createSchema(services, call, schema)),
      list: (options) => run(options, (services, call) => listSchemas(services, call)),
      delete: (name, options) => run(options, (services, call) => deleteSchema(services, call, name)),
    },
    profile: {
      update: (request, options) => writing(options, (services, call) => updateProfile(services, call, request)),
      summary: (name, options) => run(options, (services, call) => profileSummary(services, call, name)),
      searchArchival: (request, options) => run(options, (services, call) => searchArchival(services, call, request)),
    },
    create: (input, options) => run(options, (services, call) => createBlock(services, call, input)),
    get: (request, options) => run(options, (services, call) => getBlock(services, call, request)),
    list: (request, options) => run(options, (services, call) => listBlocks(services, call, request)),
    update: (name, patch, precondition, options) =>
      writing(options, (services, call) => updateBlock(services, call, { name, patch, precondition })),
    delete: (name, precondition, options) =>
      run(options, (services, call) => deleteBlock(services, call, name, precondition)),
    history: (request, options) => run(options, (services, call) => blockHistory(services, call, request)),
    diff: (request, options) => run(options, (services, call) => diffBlock(services, call, request)),
    restore: (request, options) => writing(options, (services, call) => restoreBlock(services, call, request)),
    propose: (request, options) => run(options, (services, call) => proposeBlockEdit(services, call, request)),
    getEdit: (request, options) => run(options, (services, call) => getBlockEdit(services, call, request)),
    listEdits: (request, options) => run(options, (services, call) => listBlockEdits(services, call, request)),
    approve: (request, options) => writing(options, (services, call) => approveBlockEdit(services, call, request)),
    reject: (id, options) => run(options, (services, call) => closeBlockEdit(services, call, id, "rejected")),
    withdraw: (id, options) => run(options, (services, call) => closeBlockEdit(services, call, id, "withdrawn")),
    promote: (request, options) => writing(options, (services, call) => promoteMemory(services, call, request)),
    demote: (request, options) => writing(options, (services, call) => demoteLine(services, call, request)),
  };
}
