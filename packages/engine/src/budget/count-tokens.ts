import { checkBudget } from "@loci/core";
import {
  asGiven,
  type BudgetCheck,
  type BudgetCheckRequest,
  checkChoice,
  checksOf,
  optional,
  type TokenCount,
  type TokensApi,
} from "@loci/domain";
import type { BudgetServices } from "./budget-services.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const checkCount = checksOf<Parameters<TokensApi["count"]>[0]>()("request", {
  text: checkPromptText,
  model: optional(checkPromptText),
});

/** Its numbers are checked by the rule. */
const checkGuard = checksOf<BudgetCheckRequest>()("request", {
  maxInputTokens: asGiven,
  safetyMarginRatio: asGiven,
  systemTokens: asGiven,
  conversationTokens: asGiven,
  estimatedOutputTokens: asGiven,
  onExceed: optional((action, path) => checkChoice(action, ["STOP", "SUMMARIZE", "TRIM"] as const, path)),
});

/** Counts a text as the model would. */
export async function countTokens(
  services: BudgetServices,
  request: Parameters<TokensApi["count"]>[0],
): Promise<TokenCount> {
  const { text, model } = checkCount(request);
  const { counter, resolved } = await services.tokens.forModel(model);
  const estimated = counter.estimated || !resolved.known;
  return { tokens: counter.count(text), tokenizer: counter.id, estimated };
}

/** Says whether a model call fits its budget. */
export function checkCallBudget(request: BudgetCheckRequest): BudgetCheck {
  return checkBudget(checkGuard(request));
}
