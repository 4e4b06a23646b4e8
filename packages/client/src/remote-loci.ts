import {
  assembledContextFromProto,
  assembleRequestToProto,
  budgetCheckFromProto,
  budgetCheckRequestToProto,
  proto,
  recallRequestToProto,
  recallResultFromProto,
  tokenCountFromProto,
  tokenCountRequestToProto,
} from "@loci/api";
import { type Loci, LociError } from "@loci/domain";
import { remoteMemories } from "./remote-memories.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";
import { settleIndexes } from "./settle-indexes.ts";

const closeMilliseconds = 2_000;

/** The interface of Loci, each call made by a server. */
export function remoteLoci(calls: RunningCalls, server: ServerCalls): Loci {
  const { assembleContext, countTokens, checkBudget } = proto.ContextServiceService;
  const close = async (): Promise<void> => {
    await calls.close(closeMilliseconds);
    server.close();
  };
  return {
    memories: remoteMemories(calls, server),
    tokens: {
      count: (request, options) =>
        calls.run(options, async (call) => {
          const response = await server.unary(countTokens, tokenCountRequestToProto(request), call);
          return server.read(response, tokenCountFromProto);
        }),
    },
    budget: {
      check: (request, options) =>
        calls.run(options, async (call) => {
          const response = await server.unary(checkBudget, budgetCheckRequestToProto(request), call);
          return server.read(response, budgetCheckFromProto);
        }),
      enforce: (_, options) => calls.run(options, () => notOffered("budget.enforce")),
      record: (_, options) => calls.run(options, () => notOffered("budget.record")),
      totals: (_, options) => calls.run(options, () => notOffered("budget.totals")),
      trim: (_, options) => calls.run(options, () => notOffered("budget.trim")),
    },
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
    settled: (options) => calls.run(options, (call) => settleIndexes(server, call)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function notOffered(method: string): Promise<never> {
  throw new LociError("UNSUPPORTED_OPERATION", {
    message: `${method} is not part of the contract with the server.`,
    resource: method,
    advice: "Use openLoci, which offers it in process.",
  });
}
