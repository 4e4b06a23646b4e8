import { type BudgetApi, checkFields, fieldsOf, type RecordUsageRequest, type UsageTotals } from "@loci/domain";
import type {
  GetModelUsageTotalsRequest,
  ModelUsageTotals,
  RecordModelUsageRequest,
} from "../gen/loci/v1/context_service.ts";
import { identifierToProto } from "./memory-content.ts";
import { int64FromProto, optionalInt64FromProto, required, withoutUndefined } from "./read-value.ts";
import { optionally, writableInt64, writablePrompt } from "./writable-value.ts";

type UsageTotalsRequest = Parameters<BudgetApi["totals"]>[0];

const recordFields = fieldsOf<RecordUsageRequest>({
  model: true,
  session: true,
  inputTokens: true,
  cachedInputTokens: true,
  outputTokens: true,
});
const totalsFields = fieldsOf<UsageTotalsRequest>({ session: true });

/** Without an idempotency key. @throws LociError with the reason the engine has for the field at fault */
export function recordUsageRequestToProto(request: RecordUsageRequest): RecordModelUsageRequest {
  checkFields(request, recordFields, "request");
  return {
    model: writablePrompt(request.model, "model"),
    session: optionally(request.session, "session", identifierToProto),
    inputTokens: usedTokensToProto(request.inputTokens, "inputTokens"),
    cachedInputTokens: optionally(request.cachedInputTokens, "cachedInputTokens", usedTokensToProto),
    outputTokens: usedTokensToProto(request.outputTokens, "outputTokens"),
    requestId: "",
  };
}

/** @throws LociError `INVALID_NUMBER` with the field at fault */
export function recordUsageRequestFromProto(request: RecordModelUsageRequest): RecordUsageRequest {
  return withoutUndefined<RecordUsageRequest>({
    model: request.model,
    session: request.session,
    inputTokens: int64FromProto(request.inputTokens, "inputTokens"),
    cachedInputTokens: optionalInt64FromProto(request.cachedInputTokens, "cachedInputTokens"),
    outputTokens: int64FromProto(request.outputTokens, "outputTokens"),
  });
}

/** @throws LociError with the reason the engine has for the field at fault */
export function usageTotalsRequestToProto(request: UsageTotalsRequest): GetModelUsageTotalsRequest {
  checkFields(request, totalsFields, "request");
  return { session: optionally(request.session, "session", identifierToProto) };
}

export function usageTotalsRequestFromProto({ session }: GetModelUsageTotalsRequest): UsageTotalsRequest {
  return withoutUndefined({ session });
}

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
