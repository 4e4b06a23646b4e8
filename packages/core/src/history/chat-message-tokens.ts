import type { ChatMessage } from "@loci/domain";

// OpenAI's published rule for chat messages ("How to count tokens with tiktoken"): three tokens a message and one more
// for a name, besides the tokens of every field; three at the end for the answer's own beginning.
const tokensPerMessage = 3;
const tokensPerName = 1;
export const answerPrimingTokens = 3;

// And for images: 85 in low detail, else 170 for each of its tiles and 85; scaled to 2,048 x 768 it has at most eight.
const lowDetailTokens = 85;
const highDetailTokens = 85 + 8 * 170;

/** Tokens of a message with its framing. Images whose detail is not `low` count as the largest. */
export function chatMessageTokens(message: ChatMessage, count: (text: string) => number): number {
  const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
  let tokens = tokensPerMessage + count(role);
  if (typeof content === "string") tokens += count(content);
  else
    for (const part of content ?? []) tokens += part.type === "text" ? count(part.text) : imageTokens(part.image_url);
  if (name !== undefined) tokens += tokensPerName + count(name);
  if (answered !== undefined) tokens += count(answered);
  // There is no published rule for calls. As JSON they take more than in any form a model is known to read.
  if (calls !== undefined && calls.length > 0) tokens += count(JSON.stringify(calls));
  return tokens;
}

function imageTokens({ detail }: { readonly detail?: "auto" | "low" | "high" }): number {
  return detail === "low" ? lowDetailTokens : highDetailTokens;
}
