import { type ProcessLLMRequestArgs, TokenLimiterProcessor } from "@mastra/core/processors";
import type { ChatMessage } from "@loci/domain";
import type { ContextStep } from "./context-step.ts";
import { argumentsOf, textOf } from "./message-content.ts";

type Prompt = ProcessLLMRequestArgs["prompt"];
type PromptMessage = Prompt[number];

/**
 * Mastra's token limiter at the stage where its documentation enforces the budget: on the prompt, right before the model is
 * called. Its counter is its own: it estimates, and takes no other at this stage.
 */
export const mastraTokenLimiter: ContextStep = {
  name: "Mastra TokenLimiter",
  description: '@mastra/core 1.71.0, TokenLimiterProcessor({ limit }), which defaults to trimMode "best-fit"',
  open: (given, maxTokens) => {
    const byMessage = new Map<PromptMessage, ChatMessage>();
    const toolNames = new Map<string, string>();
    const prompt = given.map((message): PromptMessage => {
      for (const call of message.tool_calls ?? []) toolNames.set(call.id, call.function.name);
      const converted = toPrompt(message, toolNames);
      byMessage.set(converted, message);
      return converted;
    });
    const limiter = new TokenLimiterProcessor({ limit: maxTokens });
    return Promise.resolve({
      // Of what an agent would pass only the prompt is read.
      run: async () =>
        (await limiter.processLLMRequest({ prompt } as unknown as ProcessLLMRequestArgs))?.prompt ?? prompt,
      outcomeOf: (result) => ({ messages: (result as Prompt).flatMap((message) => byMessage.get(message) ?? []) }),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    });
  },
};

function toPrompt(message: ChatMessage, toolNames: ReadonlyMap<string, string>): PromptMessage {
  const text = textOf(message);
  switch (message.role) {
    case "system":
    case "developer":
      return { role: "system", content: text };
    case "user":
      return { role: "user", content: [{ type: "text", text }] };
    case "assistant":
      return {
        role: "assistant",
        content: [
          ...(text === "" ? [] : [{ type: "text" as const, text }]),
          ...(message.tool_calls ?? []).map((call) => ({
            type: "tool-call" as const,
            toolCallId: call.id,
            toolName: call.function.name,
            input: argumentsOf(call),
          })),
        ],
      };
    case "tool": {
      const toolCallId = message.tool_call_id ?? "";
      const toolName = toolNames.get(toolCallId) ?? "";
      return {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: text } }],
      };
    }
  }
}
