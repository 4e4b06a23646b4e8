import type { AssembledContext, ChatMessage, ToolCall } from "@loci/domain";

/** The parts of a context every chat API takes, whatever it calls them. */
export interface ConversationParts {
  /** What stays the same from call to call, up to the end of a line. Empty when nothing does. */
  readonly stableSystem: string;
  /** What comes behind it: sections with recalled memories. */
  readonly otherSystem: string;
  /** History and query. */
  readonly turns: readonly ChatMessage[];
}

/** What a form is made from. */
export interface OutputContext extends Pick<AssembledContext, "text" | "cache"> {
  readonly messages: readonly ChatMessage[];
}

export function conversationParts({ text, messages, cache }: OutputContext): ConversationParts {
  const [first, ...others] = messages;
  const hasSystem = first?.role === "system" && typeof first.content === "string";
  const system = hasSystem && typeof first.content === "string" ? first.content : "";
  const end = stableEnd(system, text.slice(0, cache.stablePrefixLength));
  return {
    stableSystem: system.slice(0, end),
    otherSystem: system.slice(end),
    turns: hasSystem ? others : messages,
  };
}

/**
 * How far a system message is the stable beginning of the text, up to the end of a line: all of it, unless a section that
 * changes stands in it.
 */
function stableEnd(system: string, prefix: string): number {
  const longest = Math.min(system.length, prefix.length);
  let same = 0;
  while (same < longest && system[same] === prefix[same]) same++;
  return same === system.length || same === 0 ? same : system.lastIndexOf("\n", same - 1) + 1;
}

/** The calls of a message that are answered right behind it. Providers refuse a call without its result. */
export function answeredCalls(turns: readonly ChatMessage[], index: number): readonly ToolCall[] {
  const calls = turns[index]?.tool_calls ?? [];
  if (calls.length === 0) return calls;
  const answered = new Set<string | undefined>();
  for (let at = index + 1; turns[at]?.role === "tool"; at++) answered.add(turns[at]?.tool_call_id);
  return calls.filter(({ id }) => answered.has(id));
}

/** The text of calls that are not answered, and so cannot be shown as calls. Empty when all are. */
export function unansweredText(turns: readonly ChatMessage[], index: number): string {
  const answered = new Set(answeredCalls(turns, index));
  return (turns[index]?.tool_calls ?? [])
    .filter((call) => !answered.has(call))
    .map((call) => `[calls ${call.function.name} ${call.function.arguments}]`)
    .join("\n");
}

/**
 * A message as chat APIs take it where it stands: calls without a result are said in words, as a text shows them. The same
 * message when all are answered.
 */
export function withAnsweredCalls(turns: readonly ChatMessage[], index: number, message: ChatMessage): ChatMessage {
  if (message.tool_calls === undefined) return message;
  const said = unansweredText(turns, index);
  if (said === "") return message;
  const { content, tool_calls: _calls, ...others } = message;
  const calls = answeredCalls(turns, index);
  return { ...others, content: withText(content, said), ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function withText(content: ChatMessage["content"], text: string): ChatMessage["content"] {
  if (content === undefined || content === null || content === "") return text;
  return typeof content === "string" ? `${content}\n${text}` : [...content, { type: "text", text }];
}

/**
 * A call's arguments as an object. Of a tool that takes nothing some servers send none at all: then it is an empty one. What is
 * not one, or would be longer than it was said, stands as text in the field `arguments`.
 */
export function argumentsObject({ function: { arguments: text } }: ToolCall): Readonly<Record<string, unknown>> {
  if (text.trim() === "") return {};
  try {
    const value = JSON.parse(text) as unknown;
    if (
      typeof value === "object" &&
      value !== null &&
      !Array.isArray(value) &&
      JSON.stringify(value).length <= text.length
    )
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // Models write arguments that are not JSON.
  }
  return { arguments: text };
}

/** A `data:` URL's media type and base64 content. */
export function inlineImage(url: string): { readonly mediaType: string; readonly data: string } | undefined {
  const [, mediaType, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,([^]*)$/i.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? undefined : { mediaType: mediaType.toLowerCase(), data };
}
