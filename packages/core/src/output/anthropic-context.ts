import type { ChatMessage, ContentPart } from "@loci/domain";
import {
  answeredCalls,
  argumentsObject,
  conversationParts,
  inlineImage,
  type OutputContext,
  unansweredText,
} from "./conversation-parts.ts";

export interface AnthropicTextBlock {
  type: "text";
  text: string;
  cache_control?: { type: "ephemeral" };
}

export type AnthropicImageMediaType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export interface AnthropicImageBlock {
  type: "image";
  source: { type: "url"; url: string } | { type: "base64"; media_type: AnthropicImageMediaType; data: string };
}

export interface AnthropicToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: Readonly<Record<string, unknown>>;
}

export interface AnthropicToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content?: (AnthropicTextBlock | AnthropicImageBlock)[];
}

export type AnthropicBlock =
  | AnthropicTextBlock
  | AnthropicImageBlock
  | AnthropicToolUseBlock
  | AnthropicToolResultBlock;

export interface AnthropicMessage {
  role: "user" | "assistant";
  content: AnthropicBlock[];
}

/** Spread it into a request of Anthropic's Messages API. */
export interface AnthropicContext {
  system: AnthropicTextBlock[];
  messages: AnthropicMessage[];
}

/** Where Anthropic asks for a turn and nothing was said. */
const nothingSaid = "...";

/**
 * A context in Anthropic's form: each item once, the stable part of the system prompt in a block of its own with
 * `cache_control`.
 *
 * The API knows two roles, which alternate, beginning with the user. So neighbouring turns of one role are one message;
 * system and developer turns of the conversation become the user's, names are left out, and a conversation that begins
 * with an assistant's turn gets `...` before it. Calls without a result, which the API refuses, become text.
 *
 * It is within the budget the context was assembled with.
 */
export function toAnthropic(context: OutputContext): AnthropicContext {
  const { stableSystem, otherSystem, turns } = conversationParts(context);
  const system: AnthropicTextBlock[] = [];
  if (stableSystem.trim() !== "")
    system.push({ type: "text", text: stableSystem, cache_control: { type: "ephemeral" } });
  if (otherSystem.trim() !== "") system.push({ type: "text", text: otherSystem });
  const messages: AnthropicMessage[] = [];
  const add = (role: AnthropicMessage["role"], content: readonly AnthropicBlock[]): void => {
    const last = messages.at(-1);
    if (content.length === 0) return;
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  };
  for (const [index, turn] of turns.entries()) {
    const role = turn.role === "assistant" ? "assistant" : "user";
    if (messages.length === 0 && role === "assistant") add("user", textBlocks(nothingSaid));
    add(role, blocksOf(turns, index, turn));
  }
  if (messages.at(-1)?.role !== "user") add("user", textBlocks(nothingSaid));
  return { system, messages };
}

function blocksOf(turns: readonly ChatMessage[], index: number, turn: ChatMessage): readonly AnthropicBlock[] {
  const said = contentBlocks(turn.content);
  if (turn.role === "tool")
    return [
      { type: "tool_result", tool_use_id: turn.tool_call_id ?? "", ...(said.length === 0 ? {} : { content: said }) },
    ];
  return [
    ...said,
    ...textBlocks(unansweredText(turns, index)),
    ...answeredCalls(turns, index).map((call): AnthropicToolUseBlock => ({
      type: "tool_use",
      id: call.id,
      name: call.function.name,
      input: argumentsObject(call),
    })),
  ];
}

function contentBlocks(content: ChatMessage["content"]): (AnthropicTextBlock | AnthropicImageBlock)[] {
  if (typeof content === "string") return textBlocks(content);
  return (content ?? []).flatMap((part): (AnthropicTextBlock | AnthropicImageBlock)[] =>
    part.type === "text" ? textBlocks(part.text) : [imageBlock(part)],
  );
}

/** The API refuses blocks of nothing but white space. */
function textBlocks(text: string): AnthropicTextBlock[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function imageBlock({ image_url: { url } }: Extract<ContentPart, { type: "image_url" }>): AnthropicImageBlock {
  const inline = inlineImage(url);
  if (inline === undefined || !isAnthropicImage(inline.mediaType))
    return { type: "image", source: { type: "url", url } };
  return { type: "image", source: { type: "base64", media_type: inline.mediaType, data: inline.data } };
}

function isAnthropicImage(mediaType: string): mediaType is AnthropicImageMediaType {
  return ["image/jpeg", "image/png", "image/gif", "image/webp"].includes(mediaType);
}
