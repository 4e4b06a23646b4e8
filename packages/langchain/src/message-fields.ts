import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  type MessageType,
  mapStoredMessageToChatMessage,
  type StoredMessageData,
  ToolMessage,
} from "@langchain/core/messages";

/** What a message is made of, as plain JSON: everything but the pieces of one that was streamed. */
export interface MessageFields {
  readonly type: MessageType;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The fields of a message that it has, as they are after a trip through JSON. */
export function fieldsOf(message: BaseMessage): MessageFields {
  const { content, id, name, additional_kwargs, response_metadata } = message;
  const data = {
    content,
    id,
    name,
    additional_kwargs,
    response_metadata,
    ...(AIMessage.isInstance(message) ? answerFields(message) : {}),
    ...(ToolMessage.isInstance(message) ? resultFields(message) : {}),
    ...(ChatMessage.isInstance(message) ? { role: message.role } : {}),
  };
  return { type: message.type, data: JSON.parse(JSON.stringify(data, asJson)) as MessageFields["data"] };
}

/** The message with these fields. */
export function messageWith({ type, data }: MessageFields): BaseMessage {
  return mapStoredMessageToChatMessage({ type, data: data as unknown as StoredMessageData });
}

function answerFields({ tool_calls, invalid_tool_calls, usage_metadata }: AIMessage): object {
  return { tool_calls, invalid_tool_calls, usage_metadata };
}

function resultFields(message: ToolMessage): object {
  const { tool_call_id, status, metadata } = message;
  return { tool_call_id, status, metadata, artifact: message.artifact as unknown };
}

/** Bytes of an image or a sound become Base64, which LangChain takes in the same place. */
function asJson(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}
