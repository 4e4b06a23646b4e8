import type { ChatMessage } from "@loci/domain";
import fc from "fast-check";

const text: fc.Arbitrary<string> = fc.string({ maxLength: 200 });

const exchange: fc.Arbitrary<readonly ChatMessage[]> = fc.oneof(
  text.map((content): readonly ChatMessage[] => [{ role: "user", content }]),
  text.map((content): readonly ChatMessage[] => [{ role: "assistant", content }]),
  text.map((content): readonly ChatMessage[] => [{ role: "system", content }]),
  fc.array(text, { minLength: 1, maxLength: 3 }).map((results): readonly ChatMessage[] => [
    {
      role: "assistant",
      content: null,
      tool_calls: results.map((_, index) => ({
        id: `call${index}`,
        type: "function",
        function: { name: "look", arguments: "{}" },
      })),
    },
    ...results.map((content, index): ChatMessage => ({ role: "tool", tool_call_id: `call${index}`, content })),
  ]),
);

/** Conversations with a system prompt or without, with tool calls and every result they ask for. */
export const anyConversation: fc.Arbitrary<readonly ChatMessage[]> = fc
  .tuple(fc.option(text), fc.array(exchange, { maxLength: 12 }))
  .map(([system, exchanges]) => [
    ...(system === null ? [] : [{ role: "system", content: system } as const]),
    ...exchanges.flat(),
  ]);
