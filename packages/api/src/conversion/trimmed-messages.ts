import { optional, type TrimmedMessages, type TrimRequest } from "@loci/domain";
import type { TrimMessagesRequest, TrimMessagesResponse } from "../gen/loci/v1/context_service.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { field, optionalList, RequestForm, sameField } from "./request-form.ts";
import { toolDefinitions } from "./tool-definition.ts";
import { tokensToProto } from "./window.ts";
import { writablePrompt } from "./writable-value.ts";

export const trimRequest: RequestForm<TrimRequest, TrimMessagesRequest> = new RequestForm<
  TrimRequest,
  TrimMessagesRequest
>("request", {
  messages: field("messages", chatMessagesToProto, chatMessagesFromProto),
  maxTokens: sameField("maxTokens", tokensToProto),
  model: sameField("model", optional(writablePrompt)),
  tools: optionalList("tools", toolDefinitions),
});

export function trimmedMessagesToProto({ messages, tokens, dropped }: TrimmedMessages): TrimMessagesResponse {
  return { messages: chatMessagesToProto(messages, "messages"), tokens, dropped: [...dropped] };
}

/** @throws LociError `INVALID_MESSAGES`, with the path of the part at fault, for what no server of this version sends */
export function trimmedMessagesFromProto({ messages, tokens, dropped }: TrimMessagesResponse): TrimmedMessages {
  return { messages: chatMessagesFromProto(messages, "messages"), tokens, dropped };
}
