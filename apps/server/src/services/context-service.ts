import {
  assembledContextToProto,
  assembleRequestFromProto,
  budgetCheckRequest,
  budgetCheckToProto,
  enforceBudgetRequestFromProto,
  enforcedBudgetToProto,
  keptReceiptToProto,
  listReceiptsRequest,
  listReceiptsResultToProto,
  type proto,
  recordUsageRequest,
  tokenCountRequest,
  tokenCountToProto,
  trimmedMessagesToProto,
  trimRequest,
  usageTotalsRequest,
  usageTotalsToProto,
} from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import { writing } from "./writing-options.ts";

/** Assembling contexts, counting tokens and guarding budgets. */
export const contextMethods: MethodsOf<typeof proto.ContextServiceService> = {
  assembleContext: async (request, { loci, options }) =>
    assembledContextToProto(await loci.assemble(assembleRequestFromProto(request), options)),
  listReceipts: async (request, { loci, options }) =>
    listReceiptsResultToProto(await loci.receipts.list(listReceiptsRequest.fromProto(request), options)),
  getReceipt: async ({ id }, { loci, options }) => ({
    receipt: keptReceiptToProto(await loci.receipts.get(id, options)),
  }),
  countTokens: async (request, { loci, options }) =>
    tokenCountToProto(await loci.tokens.count(tokenCountRequest.fromProto(request), options)),
  checkBudget: async (request, { loci, options }) =>
    budgetCheckToProto(await loci.budget.check(budgetCheckRequest.fromProto(request), options)),
  enforceBudget: async (request, { loci, options }) =>
    enforcedBudgetToProto(await loci.budget.enforce(enforceBudgetRequestFromProto(request), options)),
  trimMessages: async (request, { loci, options }) =>
    trimmedMessagesToProto(await loci.budget.trim(trimRequest.fromProto(request), options)),
  recordModelUsage: async (request, { loci, options }) => ({
    totals: usageTotalsToProto(
      await loci.budget.record(recordUsageRequest.fromProto(request), writing(options, request)),
    ),
  }),
  getModelUsageTotals: async (request, { loci, options }) => ({
    totals: usageTotalsToProto(await loci.budget.totals(usageTotalsRequest.fromProto(request), options)),
  }),
};
