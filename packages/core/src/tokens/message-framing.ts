import type { ChatMessage, ToolDefinition } from "@loci/domain";
import { imageTokens } from "./image-tokens.ts";
import type { ModelProvider } from "./resolved-model.ts";
import { toolDefinitionTokens } from "./tool-definition-tokens.ts";

// OpenAI's published rule for chat messages ("How to count tokens with tiktoken"): three tokens a message and one more
// for a name, besides the tokens of every field; three at the end for the answer's own beginning. Other providers
// publish none, and their models' chat templates take about as much.
const tokensPerMessage = 3;
const tokensPerName = 1;
export const answerPrimingTokens = 3;

/**
 * Tokens of one message with its framing.
 *
 * @param provider whose rule images are counted by
 */
export function chatMessageTokens(
  message: ChatMessage,
  count: (text: string) => number,
  provider: ModelProvider = "openai",
): number {
  const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
  let tokens = tokensPerMessage + count(role);
  if (typeof content === "string") tokens += count(content);
  else
    for (const part of content ?? [])
      tokens +=
        part.type === "text" ? count(part.text) : imageTokens(provider, undefined, part.image_url.detail ?? "auto");
  if (name !== undefined) tokens += tokensPerName + count(name);
  if (answered !== undefined) tokens += count(answered);
  // There is no published rule for calls. As JSON they take more than in any form a model is known to read.
  if (calls !== undefined && calls.length > 0) tokens += count(JSON.stringify(calls));
  return tokens;
}

export interface FramingOptions {
  readonly count: (text: string) => number;
  /** Default `openai`. */
  readonly provider?: ModelProvider | undefined;
  readonly tools?: readonly ToolDefinition[] | undefined;
}

/** What a call takes besides its messages: the tools and the beginning of the answer. */
export function callOverheadTokens({ count, provider, tools = [] }: FramingOptions): number {
  return answerPrimingTokens + toolDefinitionTokens(tools, count, provider);
}

/** Tokens of a whole call: each message with its framing, the tools, and the beginning of the answer. */
export function callTokens(messages: readonly ChatMessage[], options: FramingOptions): number {
  let tokens = callOverheadTokens(options);
  for (const message of messages) tokens += chatMessageTokens(message, options.count, options.provider);
  return tokens;
}
