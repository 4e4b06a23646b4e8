import { type BudgetAction, type BudgetCheck, type BudgetCheckRequest, checkFields, fieldsOf } from "@loci/domain";
import {
  BudgetAction as ProtoBudgetAction,
  type CheckBudgetRequest,
  type CheckBudgetResponse,
} from "../gen/loci/v1/context_service.ts";
import { Enumeration } from "./enumeration.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { tokensToProto } from "./window.ts";
import { optionally, writableDouble } from "./writable-value.ts";

export const budgetActions: Enumeration<BudgetAction, ProtoBudgetAction> = new Enumeration({
  STOP: ProtoBudgetAction.STOP,
  SUMMARIZE: ProtoBudgetAction.SUMMARIZE,
  TRIM: ProtoBudgetAction.TRIM,
});

const budgetFields = fieldsOf<BudgetCheckRequest>({
  maxInputTokens: true,
  safetyMarginRatio: true,
  systemTokens: true,
  conversationTokens: true,
  estimatedOutputTokens: true,
  onExceed: true,
});

/** @throws LociError `INVALID_REQUEST`, `INVALID_BUDGET` */
export function budgetCheckRequestToProto(request: BudgetCheckRequest): CheckBudgetRequest {
  checkFields(request, budgetFields, "request");
  return {
    maxInputTokens: optionally(request.maxInputTokens, "maxInputTokens", tokensToProto),
    safetyMarginRatio: optionally(request.safetyMarginRatio, "safetyMarginRatio", ratioToProto),
    systemTokens: tokensToProto(request.systemTokens, "systemTokens"),
    conversationTokens: tokensToProto(request.conversationTokens, "conversationTokens"),
    estimatedOutputTokens: optionally(request.estimatedOutputTokens, "estimatedOutputTokens", tokensToProto),
    onExceed: budgetActions.optionalToProto(request.onExceed, "onExceed"),
  };
}

/** @throws LociError with the field at fault */
export function budgetCheckRequestFromProto(request: CheckBudgetRequest): BudgetCheckRequest {
  return withoutUndefined({
    maxInputTokens: request.maxInputTokens,
    safetyMarginRatio: request.safetyMarginRatio,
    systemTokens: request.systemTokens,
    conversationTokens: request.conversationTokens,
    estimatedOutputTokens: request.estimatedOutputTokens,
    onExceed: budgetActions.optionalFromProto(request.onExceed, "onExceed"),
  });
}

/** A share of a budget; any number. @throws LociError `INVALID_BUDGET` */
export function ratioToProto(ratio: number, field: string): number {
  return writableDouble(ratio, field, "INVALID_BUDGET");
}

export function budgetCheckToProto(check: BudgetCheck): CheckBudgetResponse {
  const { allowed, remainingInputTokens, utilization } = check;
  if (allowed) return { allowed, remainingInputTokens, utilization, action: 0, code: undefined, message: undefined };
  const { action, code, message } = check;
  return { allowed, remainingInputTokens, utilization, action: budgetActions.toProto(action, "action"), code, message };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function budgetCheckFromProto(response: CheckBudgetResponse): BudgetCheck {
  const { allowed, remainingInputTokens, utilization } = response;
  if (allowed) return { allowed, remainingInputTokens, utilization };
  return {
    allowed,
    remainingInputTokens,
    utilization,
    action: budgetActions.fromProto(response.action, "action"),
    code: required(response.code, "code") as "EXCEEDED" | "SAFETY_MARGIN",
    message: required(response.message, "message"),
  };
}
