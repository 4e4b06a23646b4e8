import {
  budgetCheckFromProto,
  budgetCheckRequest,
  enforceBudgetRequestToProto,
  enforcedBudgetFromProto,
  proto,
  recordUsageRequest,
  trimmedMessagesFromProto,
  trimRequest,
  usageTotalsFromProto,
  usageTotalsRequest,
} from "@loci/api";
import type { BudgetApi } from "@loci/domain";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerCalls } from "./server-calls.ts";

const service = proto.ContextServiceService;

/** The guard of model calls, kept by a server. */
export function remoteBudget(calls: RunningCalls, server: ServerCalls): BudgetApi {
  return {
    check: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.checkBudget, budgetCheckRequest.toProto(request), call);
        return server.read(response, budgetCheckFromProto);
      }),
    enforce: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.enforceBudget, enforceBudgetRequestToProto(request), call);
        return server.read(response, enforcedBudgetFromProto);
      }),
    record: (request, options) =>
      calls.run(options, async (call) => {
        const sent = { ...recordUsageRequest.toProto(request), requestId: call.requestId };
        const { totals } = await server.unary(service.recordModelUsage, sent, call);
        return server.read(totals, usageTotalsFromProto);
      }),
    totals: (request, options) =>
      calls.run(options, async (call) => {
        const { totals } = await server.unary(service.getModelUsageTotals, usageTotalsRequest.toProto(request), call);
        return server.read(totals, usageTotalsFromProto);
      }),
    trim: (request, options) =>
      calls.run(options, async (call) => {
        const response = await server.unary(service.trimMessages, trimRequest.toProto(request), call);
        return server.read(response, trimmedMessagesFromProto);
      }),
  };
}
