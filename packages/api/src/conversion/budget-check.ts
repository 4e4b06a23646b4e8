import { type BudgetAction, type BudgetCheck, type BudgetCheckRequest, optional } from "@loci/domain";
import {
  BudgetAction as ProtoBudgetAction,
  type CheckBudgetRequest,
  type CheckBudgetResponse,
} from "../gen/loci/v1/context_service.ts";
import { Enumeration } from "./enumeration.ts";
import { required } from "./read-value.ts";
import { optionalWord, RequestForm, sameField } from "./request-form.ts";
import { tokensToProto } from "./window.ts";
import { writableDouble } from "./writable-value.ts";

export const budgetActions: Enumeration<BudgetAction, ProtoBudgetAction> = new Enumeration({
  STOP: ProtoBudgetAction.STOP,
  SUMMARIZE: ProtoBudgetAction.SUMMARIZE,
  TRIM: ProtoBudgetAction.TRIM,
});

export const budgetCheckRequest: RequestForm<BudgetCheckRequest, CheckBudgetRequest> = new RequestForm<
  BudgetCheckRequest,
  CheckBudgetRequest
>("request", {
  maxInputTokens: sameField("maxInputTokens", optional(tokensToProto)),
  safetyMarginRatio: sameField("safetyMarginRatio", optional(ratioToProto)),
  systemTokens: sameField("systemTokens", tokensToProto),
  conversationTokens: sameField("conversationTokens", tokensToProto),
  estimatedOutputTokens: sameField("estimatedOutputTokens", optional(tokensToProto)),
  onExceed: optionalWord("onExceed", budgetActions),
});

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
