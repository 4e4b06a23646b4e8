import { checkFields, fieldsOf, type TrimmedMessages, type TrimRequest } from "@loci/domain";
import type { TrimMessagesRequest, TrimMessagesResponse } from "../gen/loci/v1/context_service.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { toolDefinitionsFromProto, toolDefinitionsToProto } from "./tool-definition.ts";
import { tokensToProto } from "./window.ts";
import { optionally, writablePrompt } from "./writable-value.ts";

const trimFields = fieldsOf<TrimRequest>({ messages: true, maxTokens: true, model: true, tools: true });

/** @throws LociError with the reason the engine has for the field at fault */
export function trimRequestToProto(request: TrimRequest): TrimMessagesRequest {
  checkFields(request, trimFields, "request");
  return {
    messages: chatMessagesToProto(request.messages, "messages"),
    maxTokens: tokensToProto(request.maxTokens, "maxTokens"),
    model: optionally(request.model, "model", writablePrompt),
    tools: optionally(request.tools, "tools", toolDefinitionsToProto) ?? [],
  };
}

/** @throws LociError with the field at fault */
export function trimRequestFromProto({ messages, maxTokens, model, tools }: TrimMessagesRequest): TrimRequest {
  return withoutUndefined<TrimRequest>({
    messages: chatMessagesFromProto(messages, "messages"),
    maxTokens,
    model,
    tools: nonEmptyList(toolDefinitionsFromProto(tools, "tools")),
  });
}

export function trimmedMessagesToProto({ messages, tokens, dropped }: TrimmedMessages): TrimMessagesResponse {
  return { messages: chatMessagesToProto(messages, "messages"), tokens, dropped: [...dropped] };
}

/** @throws LociError `INVALID_MESSAGES`, with the path of the part at fault, for what no server of this version sends */
export function trimmedMessagesFromProto({ messages, tokens, dropped }: TrimMessagesResponse): TrimmedMessages {
  return { messages: chatMessagesFromProto(messages, "messages"), tokens, dropped };
}
