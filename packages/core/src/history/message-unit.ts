import type { ChatMessage } from "@loci/domain";
import type { ContextFormat } from "../rendering/context-format.ts";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import { hasImage, messageText } from "./message-text.ts";

/** One message in both forms. */
export interface RenderedMessage {
  /** Its position in the conversation. */
  readonly index: number;
  readonly message: ChatMessage;
  /** `[role]: content` and a line break. Empty for a message that says nothing. */
  readonly line: string;
  readonly textTokens: number;
  /** Tokens as a chat message. */
  readonly chatTokens: number;
}

/** Messages that stay or go together: one alone, or a tool call with its results. */
export interface MessageUnit {
  readonly messages: readonly RenderedMessage[];
  /** What it takes in the dearer of its two forms. */
  readonly tokens: number;
  /** True when it holds the newest message or the latest of the user. */
  readonly mustStay: boolean;
}

/** A conversation, ready to be shortened. */
export interface Conversation {
  /** Oldest first. */
  readonly units: readonly MessageUnit[];
  readonly empty: readonly RenderedMessage[];
  /** The latest message of the user, when it is the query, which is rendered elsewhere. */
  readonly repeatsQuery: RenderedMessage | undefined;
}

/** What a message takes in the dearer of its two forms. */
export function messageTokens({ textTokens, chatTokens }: RenderedMessage): number {
  return Math.max(textTokens, chatTokens);
}

export function prepareConversation(
  messages: readonly ChatMessage[],
  query: string,
  count: (text: string) => number,
  format: Pick<ContextFormat, "escapeText">,
): Conversation {
  const repeated = repeatedQuery(messages, query);
  const empty: RenderedMessage[] = [];
  const groups: RenderedMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    if (index === repeated) continue;
    const rendered = renderMessage(message, index, count, format);
    // Results follow their call, so what comes before them is their group.
    if (message.role === "tool") groups.at(-1)?.push(rendered);
    else if (rendered.line === "") empty.push(rendered);
    else groups.push([rendered]);
  }
  const latestOfUser = groups.findLastIndex(([first]) => first?.message.role === "user");
  const units = groups.map((group, index): MessageUnit => {
    let tokens = 0;
    for (const rendered of group) tokens += messageTokens(rendered);
    return { messages: group, tokens, mustStay: index === groups.length - 1 || index === latestOfUser };
  });
  const repeatedMessage = repeated === undefined ? undefined : messages[repeated];
  return {
    units,
    empty,
    repeatsQuery:
      repeated === undefined || repeatedMessage === undefined
        ? undefined
        : renderMessage(repeatedMessage, repeated, count, format),
  };
}

function renderMessage(
  message: ChatMessage,
  index: number,
  count: (text: string) => number,
  format: Pick<ContextFormat, "escapeText">,
): RenderedMessage {
  const text = messageText(message);
  if (text === "" && message.role !== "tool") return { index, message, line: "", textTokens: 0, chatTokens: 0 };
  const line = `[${message.role}]: ${format.escapeText(text, "inline")}\n`;
  return {
    index,
    message,
    line,
    textTokens: count(line),
    chatTokens: chatMessageTokens(message, count),
  };
}

/** The position of the user's latest message, if it is the query word for word and shows nothing else. */
function repeatedQuery(messages: readonly ChatMessage[], query: string): number | undefined {
  const latest = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[latest];
  return message !== undefined && !hasImage(message) && messageText(message) === query ? latest : undefined;
}
