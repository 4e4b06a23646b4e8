// Written from the providers' published rules and not from the code that counts: the judge of every output form.
import type { ChatMessage } from "@loci/domain";
import {
  type AiSdkContext,
  type AiSdkMessage,
  type AnthropicBlock,
  type AnthropicContext,
  imageTokens,
} from "../../src/index.ts";
import type { ModelProvider } from "../../src/tokens/resolved-model.ts";

/** Tokens of a text. */
export type Count = (text: string) => number;

/** OpenAI's published rule: 3 a message, its fields, 1 for a name; and 3 for the answer's beginning. */
export function chatTokens(messages: readonly ChatMessage[], count: Count, provider: ModelProvider = "openai"): number {
  return messages.reduce((sum, { role, content, name, tool_calls: calls, tool_call_id: answered }) => {
    const parts =
      typeof content === "string"
        ? count(content)
        : (content ?? []).reduce(
            (inner, part) =>
              inner +
              (part.type === "text" ? count(part.text) : imageTokens(provider, undefined, part.image_url.detail)),
            0,
          );
    return (
      sum +
      3 +
      count(role) +
      parts +
      (name === undefined ? 0 : count(name) + 1) +
      (answered === undefined ? 0 : count(answered)) +
      (calls === undefined ? 0 : count(JSON.stringify(calls)))
    );
  }, 3);
}

export function anthropicTokens({ system, messages: turns }: AnthropicContext, count: Count): number {
  const blockTokens = (block: AnthropicBlock): number => {
    if (block.type === "text") return count(block.text);
    if (block.type === "image") return imageTokens("anthropic");
    if (block.type === "tool_use") return count(JSON.stringify(block));
    const inner = (block.content ?? []).reduce((sum, one) => sum + blockTokens(one), 0);
    return count(block.tool_use_id) + inner;
  };
  const systemTokens = system.reduce((sum, block) => sum + blockTokens(block), 3 + count("system"));
  return turns.reduce(
    (sum, { role, content }) => content.reduce((inner, one) => inner + blockTokens(one), sum + 3 + count(role)),
    3 + (system.length === 0 ? 0 : systemTokens),
  );
}

export function aiSdkTokens({ system, messages }: AiSdkContext, count: Count): number {
  const all: readonly (AiSdkContext["system"][number] | AiSdkMessage)[] = [...system, ...messages];
  return all.reduce((sum, { role, content }) => {
    if (typeof content === "string") return sum + 3 + count(role) + count(content);
    const parts = content.map((part) => {
      if (part.type === "text") return count(part.text);
      if (part.type === "file") return imageTokens("anthropic");
      if (part.type === "tool-call")
        return count(JSON.stringify({ id: part.toolCallId, name: part.toolName, input: part.input }));
      return count(part.toolCallId) + count(part.output.value);
    });
    return parts.reduce((inner, tokens) => inner + tokens, sum + 3 + count(role));
  }, 3);
}
