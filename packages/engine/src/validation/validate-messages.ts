import {
  type ChatMessage,
  type ContentPart,
  isPlainObject,
  LociError,
  type MessageRole,
  type ToolCall,
} from "@loci/domain";
import type { HistoryCache } from "@loci/core";
import { checkPromptText } from "./validate-text.ts";

const maxMessages = 100_000;
const roles: readonly MessageRole[] = ["system", "developer", "user", "assistant", "tool"];
/**
 * Checks messages in the OpenAI form. They are text of others: halves of surrogate pairs become U+FFFD, and fields that
 * a provider has added are left behind.
 *
 * @throws LociError `INVALID_MESSAGES`, `TEXT_TOO_LARGE`, with the path of the part at fault
 */
export function checkMessages(messages: readonly ChatMessage[], field = "messages"): readonly ChatMessage[] {
  return checkBehind([], messages, field);
}

/**
 * Checks the messages of an assembly. What was in an assembly before, from the beginning on, was checked and copied then.
 *
 * @throws LociError as {@link checkMessages}
 */
export function checkAssemblyMessages(
  messages: readonly ChatMessage[],
  conversations: HistoryCache,
): readonly ChatMessage[] {
  return checkBehind(conversations.beginningOf(messages), messages, "messages");
}

function checkBehind(
  known: readonly ChatMessage[],
  messages: readonly ChatMessage[],
  field: string,
): readonly ChatMessage[] {
  if (!Array.isArray(messages) || messages.length > maxMessages)
    return refuse(field, `must be a list of at most ${maxMessages} messages`);
  const checked = [...known];
  for (let index = known.length; index < messages.length; index++)
    checked.push(checkMessage((messages as readonly ChatMessage[])[index] as ChatMessage, `${field}[${index}]`));
  return checked;
}

function checkMessage(message: ChatMessage, path: string): ChatMessage {
  if (!isPlainObject(message)) refuse(path, "must be a plain object");
  const role =
    roles.find((known) => known === message.role) ?? refuse(`${path}.role`, `must be one of ${roles.join(", ")}`);
  const { content, name, tool_calls: toolCalls, tool_call_id: toolCallId, id } = message;
  const hasCalls = toolCalls !== undefined && toolCalls !== null;
  if ((content === undefined || content === null) && !hasCalls && role !== "assistant")
    refuse(`${path}.content`, "is missing");
  const checked: Record<string, unknown> = { role };
  if (content !== undefined && content !== null) checked["content"] = checkContent(content, `${path}.content`);
  if (name !== undefined && name !== null) checked["name"] = checkPromptText(name, `${path}.name`);
  if (hasCalls) checked["tool_calls"] = checkToolCalls(toolCalls, `${path}.tool_calls`);
  if (toolCallId !== undefined && toolCallId !== null)
    checked["tool_call_id"] = checkPromptText(toolCallId, `${path}.tool_call_id`);
  if (id !== undefined && id !== null) checked["id"] = checkPromptText(id, `${path}.id`);
  return checked as unknown as ChatMessage;
}

function checkContent(content: string | readonly ContentPart[], path: string): string | readonly ContentPart[] {
  if (typeof content === "string") return checkPromptText(content, path);
  if (!Array.isArray(content)) return refuse(path, "must be text or a list of parts");
  return content.map((part: ContentPart, index): ContentPart => {
    const at = `${path}[${index}]`;
    if (!isPlainObject(part)) return refuse(at, "must be a plain object");
    if (part.type === "text") return { type: "text", text: checkPromptText(part.text, `${at}.text`) };
    if (part.type !== "image_url" || !isPlainObject(part.image_url))
      return refuse(at, "must be of type text or image_url");
    const { url, detail } = part.image_url;
    if (detail !== undefined && !["auto", "low", "high"].includes(detail))
      return refuse(`${at}.image_url.detail`, "must be auto, low or high");
    // An image may come as a data URL, which is longer than any text.
    if (typeof url !== "string") return refuse(`${at}.image_url.url`, "must be text");
    return { type: "image_url", image_url: { url, ...(detail === undefined ? {} : { detail }) } };
  });
}

function checkToolCalls(calls: readonly ToolCall[], path: string): readonly ToolCall[] {
  if (!Array.isArray(calls)) return refuse(path, "must be a list");
  return calls.map((call: ToolCall, index): ToolCall => {
    const at = `${path}[${index}]`;
    if (!isPlainObject(call) || call.type !== "function" || !isPlainObject(call.function))
      return refuse(at, "must be a call of a function");
    return {
      id: checkPromptText(call.id, `${at}.id`),
      type: "function",
      function: {
        name: checkPromptText(call.function.name, `${at}.function.name`),
        arguments: checkPromptText(call.function.arguments, `${at}.function.arguments`),
      },
    };
  });
}

function refuse(field: string, problem: string): never {
  throw new LociError("INVALID_MESSAGES", {
    message: `${field} ${problem}.`,
    field,
    advice: 'Pass messages as for the OpenAI chat API, such as { role: "user", content: "…" }.',
  });
}
