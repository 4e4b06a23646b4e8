import {
  type ChatMessage,
  type ContentPart,
  isPlainObject,
  LociError,
  type MessageRole,
  type ToolCall,
} from "@loci/domain";
import {
  type ChatMessage as ProtoChatMessage,
  ChatRole,
  type ContentPart as ProtoContentPart,
  type ToolCall as ProtoToolCall,
} from "../gen/loci/v1/context.ts";
import { Enumeration } from "./enumeration.ts";
import { nonEmptyList, withoutUndefined } from "./read-value.ts";
import { writableList, writablePrompt } from "./writable-value.ts";

export const chatRoles: Enumeration<MessageRole, ChatRole> = new Enumeration({
  system: ChatRole.SYSTEM,
  developer: ChatRole.DEVELOPER,
  user: ChatRole.USER,
  assistant: ChatRole.ASSISTANT,
  tool: ChatRole.TOOL,
});

/**
 * Messages in the OpenAI form. `null` stands for an absent field, and fields a provider has added are left behind, as in
 * process.
 *
 * @throws LociError `INVALID_MESSAGES`, with the path of the part at fault
 */
export function chatMessagesToProto(messages: readonly ChatMessage[], field: string): ProtoChatMessage[] {
  return writableList(messages, field, "INVALID_MESSAGES").map((message, index) =>
    messageToProto(message, `${field}[${index}]`),
  );
}

/** @throws LociError `INVALID_MESSAGES`, with the path of the part at fault */
export function chatMessagesFromProto(messages: readonly ProtoChatMessage[], field: string): ChatMessage[] {
  return messages.map((message, index) => messageFromProto(message, `${field}[${index}]`));
}

function messageToProto(message: ChatMessage, path: string): ProtoChatMessage {
  if (!isPlainObject(message)) return refuse(path, "must be a plain object");
  const { content, name, tool_calls: toolCalls, tool_call_id: toolCallId, id } = message;
  return {
    role: chatRoles.numberOf(message.role) ?? refuse(`${path}.role`, `must be one of ${chatRoles.words().join(", ")}`),
    body: contentToProto(content, `${path}.content`),
    name: textToProto(name, `${path}.name`),
    toolCalls: toolCallsToProto(toolCalls, `${path}.tool_calls`),
    toolCallId: textToProto(toolCallId, `${path}.tool_call_id`),
    id: textToProto(id, `${path}.id`),
  };
}

function messageFromProto(message: ProtoChatMessage, path: string): ChatMessage {
  return withoutUndefined<ChatMessage>({
    role: chatRoles.wordOf(message.role) ?? refuse(`${path}.role`, `must be one of ${chatRoles.words().join(", ")}`),
    content: contentFromProto(message.body, `${path}.content`),
    name: message.name,
    tool_calls: nonEmptyList(message.toolCalls.map(toolCallFromProto)),
    tool_call_id: message.toolCallId,
    id: message.id,
  });
}

function contentToProto(content: ChatMessage["content"], path: string): ProtoChatMessage["body"] {
  if (content === undefined || content === null) return undefined;
  if (typeof content === "string") return { $case: "content", value: content.toWellFormed() };
  const parts = writableList(content, path, "INVALID_MESSAGES");
  return { $case: "parts", value: { parts: parts.map((part, index) => partToProto(part, `${path}[${index}]`)) } };
}

function contentFromProto(body: ProtoChatMessage["body"], path: string): ChatMessage["content"] {
  if (body?.$case !== "parts") return body?.value;
  return body.value.parts.map((part, index) => partFromProto(part, `${path}[${index}]`));
}

function partToProto(part: ContentPart, path: string): ProtoContentPart {
  if (!isPlainObject(part)) return refuse(path, "must be a plain object");
  if (part.type === "text")
    return { kind: { $case: "text", value: writablePrompt(part.text, `${path}.text`, "INVALID_MESSAGES") } };
  if (part.type !== "image_url" || !isPlainObject(part.image_url))
    return refuse(path, "must be of type text or image_url");
  const { url, detail } = part.image_url;
  return {
    kind: {
      $case: "imageUrl",
      value: {
        url: writablePrompt(url, `${path}.image_url.url`, "INVALID_MESSAGES"),
        detail: textToProto(detail, `${path}.image_url.detail`),
      },
    },
  };
}

function partFromProto({ kind }: ProtoContentPart, path: string): ContentPart {
  if (kind === undefined) return refuse(path, "must be text or an image");
  if (kind.$case === "text") return { type: "text", text: kind.value };
  const { url, detail } = kind.value;
  return { type: "image_url", image_url: withoutUndefined({ url, detail }) as { url: string } };
}

function toolCallsToProto(calls: readonly ToolCall[] | null | undefined, path: string): ProtoToolCall[] {
  return writableList(calls ?? [], path, "INVALID_MESSAGES").map((call, index) => {
    const at = `${path}[${index}]`;
    if (!isPlainObject(call) || call.type !== "function" || !isPlainObject(call.function))
      return refuse(at, "must be a call of a function");
    return {
      id: writablePrompt(call.id, `${at}.id`, "INVALID_MESSAGES"),
      name: writablePrompt(call.function.name, `${at}.function.name`, "INVALID_MESSAGES"),
      arguments: writablePrompt(call.function.arguments, `${at}.function.arguments`, "INVALID_MESSAGES"),
    };
  });
}

function toolCallFromProto({ id, name, arguments: argument }: ProtoToolCall): ToolCall {
  return { id, type: "function", function: { name, arguments: argument } };
}

function textToProto(text: string | null | undefined, path: string): string | undefined {
  return text === undefined || text === null ? undefined : writablePrompt(text, path, "INVALID_MESSAGES");
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_MESSAGES", {
    message: `${field} ${problem}.`,
    field,
    advice: 'Pass messages as for the OpenAI chat API, such as { role: "user", content: "…" }.',
  });
}
