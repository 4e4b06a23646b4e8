import { type BudgetApi, optional, type RecordUsageRequest, type UsageTotals } from "@loci/domain";
import type {
  GetModelUsageTotalsRequest,
  ModelUsageTotals,
  RecordModelUsageRequest,
} from "../gen/loci/v1/context_service.ts";
import { identifierToProto } from "./identifier.ts";
import { int64FromProto, optionalInt64FromProto, required } from "./read-value.ts";
import { field, RequestForm, sameField } from "./request-form.ts";
import { writableInt64, writablePrompt } from "./writable-value.ts";

type UsageTotalsRequest = Parameters<BudgetApi["totals"]>[0];

export const recordUsageRequest: RequestForm<RecordUsageRequest, RecordModelUsageRequest, "requestId"> =
  new RequestForm<RecordUsageRequest, RecordModelUsageRequest, "requestId">("request", {
    model: sameField("model", writablePrompt),
    session: sameField("session", optional(identifierToProto)),
    inputTokens: field("inputTokens", usedTokensToProto, int64FromProto),
    cachedInputTokens: field("cachedInputTokens", optional(usedTokensToProto), optionalInt64FromProto),
    outputTokens: field("outputTokens", usedTokensToProto, int64FromProto),
  });

export const usageTotalsRequest: RequestForm<UsageTotalsRequest, GetModelUsageTotalsRequest> = new RequestForm<
  UsageTotalsRequest,
  GetModelUsageTotalsRequest
>("request", {
  session: sameField("session", optional(identifierToProto)),
});

export function usageTotalsToProto(totals: UsageTotals): ModelUsageTotals {
  const { cost, inputCost, outputCost, approximate } = totals;
  return {
    calls: writableInt64(totals.calls, "totals.calls"),
    inputTokens: writableInt64(totals.inputTokens, "totals.inputTokens"),
    cachedInputTokens: writableInt64(totals.cachedInputTokens, "totals.cachedInputTokens"),
    outputTokens: writableInt64(totals.outputTokens, "totals.outputTokens"),
    cost,
    inputCost,
    outputCost,
    unpricedCalls: writableInt64(totals.unpricedCalls, "totals.unpricedCalls"),
    approximate,
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function usageTotalsFromProto(message: ModelUsageTotals | undefined): UsageTotals {
  const totals = required(message, "totals");
  return {
    calls: int64FromProto(totals.calls, "totals.calls"),
    inputTokens: int64FromProto(totals.inputTokens, "totals.inputTokens"),
    cachedInputTokens: int64FromProto(totals.cachedInputTokens, "totals.cachedInputTokens"),
    outputTokens: int64FromProto(totals.outputTokens, "totals.outputTokens"),
    cost: totals.cost,
    inputCost: totals.inputCost,
    outputCost: totals.outputCost,
    unpricedCalls: int64FromProto(totals.unpricedCalls, "totals.unpricedCalls"),
    approximate: totals.approximate,
  };
}

/** @throws LociError `INVALID_BUDGET` for what is not whole or is 2^53 or more */
function usedTokensToProto(tokens: number, field: string): bigint {
  return writableInt64(tokens, field, "INVALID_BUDGET");
}
