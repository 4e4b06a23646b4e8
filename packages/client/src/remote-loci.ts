import {
  assembledContextFromProto,
  assembleRequestToProto,
  callerFromProto,
  proto,
  recallRequestToProto,
  recallResultFromProto,
  statusFromProto,
  tokenCountFromProto,
  tokenCountRequest,
} from "@loci/api";
import type { Loci } from "@loci/domain";
import { remoteBlocks } from "./remote-blocks.ts";
import { remoteBudget } from "./remote-budget.ts";
import { remoteMaintenance } from "./remote-maintenance.ts";
import { remoteMemories } from "./remote-memories.ts";
import { remoteReceipts } from "./remote-receipts.ts";
import { remoteCaptures } from "./remote-captures.ts";
import { remoteSessions } from "./remote-sessions.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";
import { settleIndexes } from "./settle-indexes.ts";

/** What is under way when a client closes has so long to end, in milliseconds. */
export const closeMilliseconds = 2_000;

/** The interface of Loci, each call made by a server. */
export function remoteLoci(calls: RunningCalls, server: ServerCalls): Loci {
  const { assembleContext, countTokens } = proto.ContextServiceService;
  const close = async (): Promise<void> => {
    await calls.close(closeMilliseconds);
    server.close();
  };
  return {
    memories: remoteMemories(calls, server),
    sessions: remoteSessions(calls, server),
    blocks: remoteBlocks(calls, server),
    captures: remoteCaptures(calls, server),
    receipts: remoteReceipts(calls, server),
    tokens: {
      count: (request, options) =>
        calls.run(options, async (call) => {
          const response = await server.unary(countTokens, tokenCountRequest.toProto(request), call);
          return server.read(response, tokenCountFromProto);
        }),
    },
    budget: remoteBudget(calls, server),
    recall: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(
          proto.MemoryServiceService.recallMemories,
          recallRequestToProto(request),
          call,
        );
        return server.read(response, recallResultFromProto);
      }),
    assemble: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(assembleContext, assembleRequestToProto(request), call);
        return server.read(response, assembledContextFromProto);
      }),
    maintenance: remoteMaintenance(calls, server),
    caller: (options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(proto.StatusServiceService.getCaller, {}, call);
        return server.read(response.caller, callerFromProto);
      }),
    status: (options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(proto.StatusServiceService.getStatus, {}, call);
        return server.read(response.status, statusFromProto);
      }),
    settled: (options) => calls.run(options, (call) => settleIndexes(server, call)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
