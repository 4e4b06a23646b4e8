import {
  assembledContextToProto,
  assembleRequestFromProto,
  budgetCheckRequestFromProto,
  budgetCheckToProto,
  enforceBudgetRequestFromProto,
  enforcedBudgetToProto,
  type proto,
  recordUsageRequestFromProto,
  tokenCountRequestFromProto,
  tokenCountToProto,
  trimmedMessagesToProto,
  trimRequestFromProto,
  usageTotalsRequestFromProto,
  usageTotalsToProto,
} from "@loci/api";
import type { MethodsOf } from "../calls/served-calls.ts";
import { writing } from "./writing-options.ts";

/** Assembling contexts, counting tokens and guarding budgets. */
export const contextMethods: MethodsOf<typeof proto.ContextServiceService> = {
  assembleContext: async (request, { loci, options }) =>
    assembledContextToProto(await loci.assemble(assembleRequestFromProto(request), options)),
  countTokens: async (request, { loci, options }) =>
    tokenCountToProto(await loci.tokens.count(tokenCountRequestFromProto(request), options)),
  checkBudget: async (request, { loci, options }) =>
    budgetCheckToProto(await loci.budget.check(budgetCheckRequestFromProto(request), options)),
  enforceBudget: async (request, { loci, options }) =>
    enforcedBudgetToProto(await loci.budget.enforce(enforceBudgetRequestFromProto(request), options)),
  trimMessages: async (request, { loci, options }) =>
    trimmedMessagesToProto(await loci.budget.trim(trimRequestFromProto(request), options)),
  recordModelUsage: async (request, { loci, options }) => ({
    totals: usageTotalsToProto(
      await loci.budget.record(recordUsageRequestFromProto(request), writing(options, request)),
    ),
  }),
  getModelUsageTotals: async (request, { loci, options }) => ({
    totals: usageTotalsToProto(await loci.budget.totals(usageTotalsRequestFromProto(request), options)),
  }),
};
