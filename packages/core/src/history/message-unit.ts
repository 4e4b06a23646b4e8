import type { ChatMessage } from "@loci/domain";
import type { ContextFormat } from "../rendering/context-format.ts";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import type { ModelProvider } from "../tokens/resolved-model.ts";
import { type HistoryCache, readMessage, type ReadMessage } from "./history-cache.ts";
import { lineLabel, type MessageForm, turnNumbers } from "./message-form.ts";
import { hasImage, messageText } from "./message-text.ts";

/** One message in both forms. */
export interface RenderedMessage {
  /** Its position in the conversation. */
  readonly index: number;
  readonly message: ChatMessage;
  /** The number of its turn, from 1. */
  readonly turn: number;
  /** What it was read as. Equal messages of a conversation that is remembered share one. */
  readonly read: ReadMessage;
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

/** How a conversation is read. */
export interface ConversationReading {
  /** Default `roles`. */
  readonly form?: MessageForm | undefined;
  /** Whose rule images are counted by. Default `openai`. */
  readonly provider?: ModelProvider | undefined;
  /** What was read before. */
  readonly cache?: HistoryCache | undefined;
  /** Names counter and format, whose results the cache keeps apart. */
  readonly cacheKey?: string | undefined;
}

export function prepareConversation(
  messages: readonly ChatMessage[],
  query: string,
  count: (text: string) => number,
  format: Pick<ContextFormat, "escapeText">,
  reading: ConversationReading = {},
): Conversation {
  const repeated = repeatedQuery(messages, query);
  const turns = turnNumbers(messages);
  const render = (message: ChatMessage, index: number): RenderedMessage =>
    renderMessage(message, index, turns[index] as number, count, format, reading);
  const empty: RenderedMessage[] = [];
  const groups: RenderedMessage[][] = [];
  for (const [index, message] of messages.entries()) {
    if (index === repeated) continue;
    const rendered = render(message, index);
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
      repeated === undefined || repeatedMessage === undefined ? undefined : render(repeatedMessage, repeated),
  };
}

function renderMessage(
  message: ChatMessage,
  index: number,
  turn: number,
  count: (text: string) => number,
  format: Pick<ContextFormat, "escapeText">,
  { form = "roles", provider, cache, cacheKey = "" }: ConversationReading,
): RenderedMessage {
  const render = (): Omit<ReadMessage, "facts"> => {
    const text = messageText(message);
    if (text === "" && message.role !== "tool") return { line: "", textTokens: 0, chatTokens: 0 };
    const line = `${lineLabel(message.role, turn, form)}${format.escapeText(text, "inline")}\n`;
    return { line, textTokens: count(line), chatTokens: chatMessageTokens(message, count, provider) };
  };
  const key = form === "turns" ? `${cacheKey}:${turn}` : cacheKey;
  const read = cache?.read(message, key, render) ?? readMessage(message, render());
  const { line, textTokens, chatTokens } = read;
  return { index, message, turn, read, line, textTokens, chatTokens };
}

/** The position of the user's latest message, if it is the query word for word and shows nothing else. */
function repeatedQuery(messages: readonly ChatMessage[], query: string): number | undefined {
  const latest = messages.findLastIndex(({ role }) => role === "user");
  const message = messages[latest];
  return message !== undefined && !hasImage(message) && messageText(message) === query ? latest : undefined;
}
