import {
  assembledContextToProto,
  assembleRequestFromProto,
  budgetCheckRequestFromProto,
  budgetCheckToProto,
  type proto,
  tokenCountRequestFromProto,
  tokenCountToProto,
} from "@loci/api";
import type { MethodsOf } from "../calls/unary-calls.ts";

/** Assembling contexts and counting tokens. */
export const contextMethods: MethodsOf<typeof proto.ContextServiceService> = {
  assembleContext: async (request, { loci, options }) =>
    assembledContextToProto(await loci.assemble(assembleRequestFromProto(request), options)),
  countTokens: async (request, { loci, options }) =>
    tokenCountToProto(await loci.tokens.count(tokenCountRequestFromProto(request), options)),
  checkBudget: async (request, { loci, options }) =>
    budgetCheckToProto(await loci.budget.check(budgetCheckRequestFromProto(request), options)),
};
