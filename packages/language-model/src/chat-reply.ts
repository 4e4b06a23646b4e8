import { fieldOf } from "@loci/model-endpoint";
import type { GenerateUsage } from "./language-model.ts";

export interface ChatReply {
  readonly text: string;
  readonly isCutOff: boolean;
  readonly usage: GenerateUsage | undefined;
}

/** Reads the body of a chat completion. What is wrong with it comes back as a sentence, which quotes nothing of it. */
export function readChatReply(body: string): ChatReply | string {
  let reply: unknown;
  try {
    reply = JSON.parse(body);
  } catch {
    return "Its answer is not JSON.";
  }
  const choices: unknown = fieldOf(reply, "choices");
  const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  const message = fieldOf(choice, "message");
  if (message === undefined) return "Its answer holds no message.";
  const text = textOf(fieldOf(message, "content"));
  return { text, isCutOff: fieldOf(choice, "finish_reason") === "length", usage: usageOf(fieldOf(reply, "usage")) };
}

/** Empty for who has refused or called a tool. Some servers give parts, of which one is what was thought. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const texts = parts.map((part) => (fieldOf(part, "type") === "text" ? fieldOf(part, "text") : undefined));
  return texts.filter((text) => typeof text === "string").join("");
}

function usageOf(usage: unknown): GenerateUsage | undefined {
  const inputTokens = tokensOf(fieldOf(usage, "prompt_tokens"));
  const outputTokens = tokensOf(fieldOf(usage, "completion_tokens"));
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = tokensOf(fieldOf(fieldOf(usage, "prompt_tokens_details"), "cached_tokens")) ?? 0;
  return { inputTokens, cachedInputTokens: Math.min(cached, inputTokens), outputTokens };
}

function tokensOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
