import { checkBudget } from "@loci/core";
import {
  type BudgetCheck,
  type BudgetCheckRequest,
  checkChoice,
  checkFields,
  fieldsOf,
  type TokenCount,
  type TokensApi,
} from "@loci/domain";
import type { BudgetServices } from "./budget-services.ts";
import { checkPromptText } from "../validation/validate-text.ts";

const countFields = fieldsOf<Parameters<TokensApi["count"]>[0]>({ text: true, model: true });

const budgetFields = fieldsOf<BudgetCheckRequest>({
  maxInputTokens: true,
  safetyMarginRatio: true,
  systemTokens: true,
  conversationTokens: true,
  estimatedOutputTokens: true,
  onExceed: true,
});

/** Counts a text as the model would. */
export async function countTokens(
  services: BudgetServices,
  request: Parameters<TokensApi["count"]>[0],
): Promise<TokenCount> {
  checkFields(request, countFields, "request");
  const text = checkPromptText(request.text, "text");
  const model = request.model === undefined ? undefined : checkPromptText(request.model, "model");
  const { counter } = await services.tokens.forModel(model);
  return { tokens: counter.count(text), tokenizer: counter.id, estimated: counter.estimated };
}

/** Says whether a model call fits its budget. */
export function checkCallBudget(request: BudgetCheckRequest): BudgetCheck {
  checkFields(request, budgetFields, "request");
  if (request.onExceed !== undefined) checkChoice(request.onExceed, ["STOP", "SUMMARIZE", "TRIM"], "onExceed");
  return checkBudget(request);
}
