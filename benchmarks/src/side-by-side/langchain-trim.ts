import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  trimMessages,
} from "@langchain/core/messages";
import { loadTokenCounter } from "@loci/core";
import type { ChatMessage } from "@loci/domain";
import type { ContextStep } from "./context-step.ts";
import { argumentsOf, textOf } from "./message-content.ts";
import { answerTokens, modelMessageTokens } from "./model-tokens.ts";

/**
 * LangChain's `trimMessages` with the options its documentation recommends for a valid chat history: the newest messages,
 * the system prompt, beginning with the user, ending with the user or a tool's result.
 *
 * Its counter is exact, goes by the rule contexts are judged by, is the fastest at hand and counts no message twice: none
 * could serve it better.
 */
export const langchainTrim: ContextStep = {
  name: "LangChain trimMessages",
  description:
    '@langchain/core 1.4.0, strategy "last", includeSystem, startOn "human", endOn ["human", "tool"], an exact counter',
  open: async (given, maxTokens) => {
    const counter = await loadTokenCounter("o200k_base");
    const byId = new Map(given.map((message, index) => [String(index), message]));
    const messages = given.map((message, index) => toLangchain(message, String(index)));
    return {
      run: () => {
        const counted = new Map<string, number>();
        return trimMessages(messages, {
          maxTokens,
          tokenCounter: (list) => {
            let tokens = answerTokens;
            for (const { id = "" } of list) {
              let size = counted.get(id);
              if (size === undefined) {
                size = modelMessageTokens(byId.get(id) as ChatMessage, (text) => counter.count(text));
                counted.set(id, size);
              }
              tokens += size;
            }
            return tokens;
          },
          strategy: "last",
          includeSystem: true,
          startOn: "human",
          endOn: ["human", "tool"],
        });
      },
      outcomeOf: (result) => {
        // When not even the system prompt fits, the list holds undefined.
        const kept = (result as (BaseMessage | undefined)[]).flatMap((message) => byId.get(message?.id ?? "") ?? []);
        return kept.length === 0 ? { refusal: "No message is left." } : { messages: kept };
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  },
};

function toLangchain(message: ChatMessage, id: string): BaseMessage {
  const content = textOf(message);
  switch (message.role) {
    case "system":
    case "developer":
      return new SystemMessage({ id, content });
    case "user":
      return new HumanMessage({ id, content });
    case "assistant": {
      const calls = message.tool_calls ?? [];
      return new AIMessage({
        id,
        content,
        tool_calls: calls.map((call) => ({ id: call.id, name: call.function.name, args: argumentsOf(call) })),
      });
    }
    case "tool":
      return new ToolMessage({ id, content, tool_call_id: message.tool_call_id ?? "" });
  }
}
