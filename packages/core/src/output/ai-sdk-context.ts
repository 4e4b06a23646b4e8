import type { ChatMessage } from "@loci/domain";
import {
  answeredCalls,
  argumentsObject,
  conversationParts,
  inlineImage,
  type OutputContext,
  unansweredText,
} from "./conversation-parts.ts";

export interface AiSdkTextPart {
  type: "text";
  text: string;
}

/** An image. Version 7 warns of parts that are called so. */
export interface AiSdkFilePart {
  type: "file";
  /** An address, or base64. */
  data: URL | string;
  /** Of an address `image/*`. */
  mediaType: string;
}

export interface AiSdkToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  input: unknown;
}

export interface AiSdkToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text"; value: string };
}

/** A `SystemModelMessage` of the AI SDK. */
export interface AiSdkSystemMessage {
  role: "system";
  content: string;
  providerOptions?: { anthropic: { cacheControl: { type: "ephemeral" } } };
}

/** A `ModelMessage` of the AI SDK, versions 5 to 7. None is the system's: version 7 refuses those among the others. */
export type AiSdkMessage =
  | { role: "user"; content: (AiSdkTextPart | AiSdkFilePart)[] }
  | { role: "assistant"; content: (AiSdkTextPart | AiSdkToolCallPart)[] }
  | { role: "tool"; content: AiSdkToolResultPart[] };

/** Spread it into `generateText` or `streamText`; an agent takes `system` as its `instructions`. */
export interface AiSdkContext {
  system: AiSdkSystemMessage[];
  messages: AiSdkMessage[];
}

/**
 * A context as the AI SDK takes it: each item once. The stable part of the system prompt is a message of its own, marked as
 * Anthropic's cache breakpoint, which other providers pass over.
 *
 * Results of one call are one message. Names are left out, system and developer turns of the conversation become the user's,
 * images in a tool's result become `[image]`, and calls without a result, which providers refuse, become text.
 *
 * It is within the budget the context was assembled with.
 */
export function toAiSdk(context: OutputContext): AiSdkContext {
  const { stableSystem, otherSystem, turns } = conversationParts(context);
  const system: AiSdkSystemMessage[] = [];
  if (stableSystem !== "")
    system.push({
      role: "system",
      content: stableSystem,
      providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } },
    });
  if (otherSystem !== "") system.push({ role: "system", content: otherSystem });
  const messages: AiSdkMessage[] = [];
  const toolNames = new Map<string, string>();
  for (const [index, turn] of turns.entries()) {
    const message = messageOf(turns, index, turn, toolNames);
    const last = messages.at(-1);
    if (message.role === "tool" && last?.role === "tool") last.content.push(...message.content);
    else messages.push(message);
  }
  return { system, messages };
}

function messageOf(
  turns: readonly ChatMessage[],
  index: number,
  turn: ChatMessage,
  toolNames: Map<string, string>,
): AiSdkMessage {
  const { role, content } = turn;
  switch (role) {
    case "system":
    case "developer":
    case "user":
      return { role: "user", content: userParts(content) };
    case "assistant":
      for (const call of turn.tool_calls ?? []) toolNames.set(call.id, call.function.name);
      return { role, content: assistantParts(turns, index, turn) };
    case "tool": {
      const toolCallId = turn.tool_call_id ?? "";
      const toolName = toolNames.get(toolCallId) ?? "";
      const output = { type: "text" as const, value: textOf(content) };
      return { role, content: [{ type: "tool-result", toolCallId, toolName, output }] };
    }
  }
}

function userParts(content: ChatMessage["content"]): (AiSdkTextPart | AiSdkFilePart)[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (content ?? []).map((part): AiSdkTextPart | AiSdkFilePart => {
    if (part.type === "text") return { type: "text", text: part.text };
    const { url } = part.image_url;
    const inline = inlineImage(url);
    if (inline !== undefined) return { type: "file", data: inline.data, mediaType: inline.mediaType };
    return { type: "file", data: URL.parse(url) ?? url, mediaType: "image/*" };
  });
}

function assistantParts(
  turns: readonly ChatMessage[],
  index: number,
  { content }: ChatMessage,
): (AiSdkTextPart | AiSdkToolCallPart)[] {
  const said = [textOf(content), unansweredText(turns, index)].filter((text) => text !== "");
  return [
    ...said.map((text): AiSdkTextPart => ({ type: "text", text })),
    ...answeredCalls(turns, index).map((call): AiSdkToolCallPart => ({
      type: "tool-call",
      toolCallId: call.id,
      toolName: call.function.name,
      input: argumentsObject(call),
    })),
  ];
}

/** The texts of a content, a line each, with `[image]` for what is none. */
function textOf(content: ChatMessage["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}
