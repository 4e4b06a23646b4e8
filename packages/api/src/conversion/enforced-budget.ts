import { checkFields, type EnforceBudgetRequest, type EnforcedBudget, fieldsOf, LociError } from "@loci/domain";
import type {
  EnforceBudgetRequest as ProtoEnforceBudgetRequest,
  EnforceBudgetResponse,
} from "../gen/loci/v1/context_service.ts";
import { budgetActions, ratioToProto } from "./budget-check.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { identifierToProto } from "./memory-content.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { toolDefinitionsFromProto, toolDefinitionsToProto } from "./tool-definition.ts";
import { trimmedMessagesFromProto, trimmedMessagesToProto } from "./trimmed-messages.ts";
import { tokensToProto } from "./window.ts";
import { optionally, writablePrompt } from "./writable-value.ts";

const enforceFields = fieldsOf<EnforceBudgetRequest>({
  messages: true,
  model: true,
  tools: true,
  session: true,
  summarize: true,
  maxInputTokens: true,
  safetyMarginRatio: true,
  estimatedOutputTokens: true,
  onExceed: true,
});

/**
 * @throws LociError `UNSUPPORTED_OPERATION` for a function to summarise with, which cannot be sent; else with the reason
 *   the engine has for the field at fault
 */
export function enforceBudgetRequestToProto(request: EnforceBudgetRequest): ProtoEnforceBudgetRequest {
  checkFields(request, enforceFields, "request");
  if (request.summarize !== undefined) throw summarizeCannotBeSent();
  return {
    messages: chatMessagesToProto(request.messages, "messages"),
    model: optionally(request.model, "model", writablePrompt),
    tools: optionally(request.tools, "tools", toolDefinitionsToProto) ?? [],
    session: optionally(request.session, "session", identifierToProto),
    maxInputTokens: optionally(request.maxInputTokens, "maxInputTokens", tokensToProto),
    safetyMarginRatio: optionally(request.safetyMarginRatio, "safetyMarginRatio", ratioToProto),
    estimatedOutputTokens: optionally(request.estimatedOutputTokens, "estimatedOutputTokens", tokensToProto),
    onExceed: budgetActions.optionalToProto(request.onExceed, "onExceed"),
  };
}

/** @throws LociError with the field at fault */
export function enforceBudgetRequestFromProto(request: ProtoEnforceBudgetRequest): EnforceBudgetRequest {
  return withoutUndefined<EnforceBudgetRequest>({
    messages: chatMessagesFromProto(request.messages, "messages"),
    model: request.model,
    tools: nonEmptyList(toolDefinitionsFromProto(request.tools, "tools")),
    session: request.session,
    maxInputTokens: request.maxInputTokens,
    safetyMarginRatio: request.safetyMarginRatio,
    estimatedOutputTokens: request.estimatedOutputTokens,
    onExceed: budgetActions.optionalFromProto(request.onExceed, "onExceed"),
  });
}

export function enforcedBudgetToProto(enforced: EnforcedBudget): EnforceBudgetResponse {
  const { remainingInputTokens, utilization } = enforced.check;
  return { ...trimmedMessagesToProto(enforced), remainingInputTokens, utilization, summarized: enforced.summarized };
}

/** @throws LociError `INVALID_MESSAGES`, with the path of the part at fault, for what no server of this version sends */
export function enforcedBudgetFromProto(response: EnforceBudgetResponse): EnforcedBudget {
  const { remainingInputTokens, utilization, summarized } = response;
  return {
    ...trimmedMessagesFromProto(response),
    check: { allowed: true, remainingInputTokens, utilization },
    summarized,
  };
}

function summarizeCannotBeSent(): LociError {
  return new LociError("UNSUPPORTED_OPERATION", {
    message: "summarize is a function, and the server cannot call a function of this program.",
    field: "summarize",
    advice: "Leave it out and let onExceed be TRIM or STOP, or use openLoci, which summarises in process.",
  });
}
