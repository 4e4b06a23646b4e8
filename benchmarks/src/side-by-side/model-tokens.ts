import type { ChatMessage } from "@loci/domain";
import { Tiktoken } from "js-tiktoken/lite";
import o200kBase from "js-tiktoken/ranks/o200k_base";

/** The model all budgets are for. Its tokenizer is `o200k_base`. */
export const comparedModel = "gpt-4o";

/** What begins the answer is counted with every call. */
export const answerTokens = 3;

const encoding = new Tiktoken(o200kBase);
const known = new Map<string, number>();

/**
 * Tokens of one message for the model: OpenAI's published rule of three tokens a message and one for a name, besides the
 * tokens of every text in it. Of tool calls, for which no rule is published, the texts alone: names, arguments and ids. So
 * it is the least that a call can take.
 */
export function modelMessageTokens(message: ChatMessage, count: (text: string) => number): number {
  const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
  let tokens = 3 + count(role);
  if (typeof content === "string") tokens += count(content);
  // An image in low detail.
  else for (const part of content ?? []) tokens += part.type === "text" ? count(part.text) : 85;
  if (name !== undefined) tokens += 1 + count(name);
  if (answered !== undefined) tokens += count(answered);
  for (const call of calls ?? []) tokens += count(call.id) + count(call.function.name) + count(call.function.arguments);
  return tokens;
}

/** Tokens of a whole call, by a library that none of the compared ones counts with: the judge is nobody's own. */
export function judgedTokens(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + modelMessageTokens(message, judgedTextTokens), answerTokens);
}

/** Each text is counted once. */
export function judgedTextTokens(text: string): number {
  let tokens = known.get(text);
  if (tokens === undefined) {
    // What looks like a special token is text like any other.
    tokens = encoding.encode(text, [], []).length;
    known.set(text, tokens);
  }
  return tokens;
}
