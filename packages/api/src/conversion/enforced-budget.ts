import { type EnforceBudgetRequest, type EnforcedBudget, isPlainObject, LociError, optional } from "@loci/domain";
import type {
  EnforceBudgetRequest as ProtoEnforceBudgetRequest,
  EnforceBudgetResponse,
} from "../gen/loci/v1/context_service.ts";
import { budgetActions, ratioToProto } from "./budget-check.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { identifierToProto } from "./identifier.ts";
import { field, optionalList, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { toolDefinitions } from "./tool-definition.ts";
import { trimmedMessagesFromProto, trimmedMessagesToProto } from "./trimmed-messages.ts";
import { tokensToProto } from "./window.ts";
import { writablePrompt } from "./writable-value.ts";

const sent: RequestForm<Omit<EnforceBudgetRequest, "summarize">, ProtoEnforceBudgetRequest> = new RequestForm<
  Omit<EnforceBudgetRequest, "summarize">,
  ProtoEnforceBudgetRequest
>("request", {
  messages: field("messages", chatMessagesToProto, chatMessagesFromProto),
  model: sameField("model", optional(writablePrompt)),
  tools: optionalList("tools", toolDefinitions),
  session: sameField("session", optional(identifierToProto)),
  maxInputTokens: sameField("maxInputTokens", optional(tokensToProto)),
  safetyMarginRatio: sameField("safetyMarginRatio", optional(ratioToProto)),
  estimatedOutputTokens: sameField("estimatedOutputTokens", optional(tokensToProto)),
  onExceed: optionalWord("onExceed", budgetActions),
});

/**
 * @throws LociError `UNSUPPORTED_OPERATION` for a function to summarise with, which cannot be sent; else with the reason
 *   the engine has for the field at fault
 */
export function enforceBudgetRequestToProto(request: EnforceBudgetRequest): ProtoEnforceBudgetRequest {
  if (!isPlainObject(request)) return sent.toProto(request);
  const { summarize, ...others } = request;
  if (summarize !== undefined) throw summarizeCannotBeSent();
  return sent.toProto(others);
}

/** @throws LociError with the field at fault */
export const enforceBudgetRequestFromProto: (request: ProtoEnforceBudgetRequest) => EnforceBudgetRequest =
  sent.fromProto;

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
