import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ModelScript, ShownCall, ShownMessage } from "@loci/agent/conformance";
import { image } from "@loci/agent/conformance";
import type { MastraModelConfig } from "@mastra/core/llm";
import { MockLanguageModelV4 } from "ai/test";

/** A model that does what a script says, and tells it what it is shown. */
export function scriptedModel(script: ModelScript): MastraModelConfig {
  const model = new MockLanguageModelV4({
    supportedUrls: { "*/*": [/./] },
    doGenerate: async (call) => {
      const { text, calls, end } = script.next(shownIn(call));
      end();
      const content: LanguageModelV4Content[] = [
        ...(text === "" ? [] : [{ type: "text" as const, text }]),
        ...calls.map(toolCall),
      ];
      return { content, finishReason: finishReason(calls), usage, warnings: [] };
    },
    doStream: async (call) => {
      const { pieces, calls, end } = script.next(shownIn(call));
      const parts: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...(pieces.length === 0 ? [] : [{ type: "text-start" as const, id: "0" }]),
        ...pieces.map((delta) => ({ type: "text-delta" as const, id: "0", delta })),
        ...(pieces.length === 0 ? [] : [{ type: "text-end" as const, id: "0" }]),
        ...calls.map(toolCall),
      ];
      return {
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          async pull(controller) {
            const part = parts.shift();
            if (part !== undefined) return controller.enqueue(part);
            const error = problemAt(end);
            if (call.abortSignal?.aborted === true) throw error;
            // A provider tells of a failure in the stream, and ends it in order.
            if (error !== undefined) controller.enqueue({ type: "error", error });
            const reason = error === undefined ? finishReason(calls) : { unified: "error" as const, raw: undefined };
            controller.enqueue({ type: "finish", finishReason: reason, usage });
            controller.close();
          },
        }),
      };
    },
  });
  // Mastra types what any model of the AI SDK returns as its own wrapper of it does.
  return model as unknown as MastraModelConfig;
}

function problemAt(end: () => void): unknown {
  try {
    end();
    return undefined;
  } catch (error) {
    return error;
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function finishReason(calls: readonly unknown[]): LanguageModelV4FinishReason {
  return { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined };
}

function toolCall({ id, tool, input }: { id: string; tool: string; input: object }) {
  return { type: "tool-call" as const, toolCallId: id, toolName: tool, input: JSON.stringify(input) };
}

function shownIn({ prompt }: LanguageModelV4CallOptions): ShownCall {
  const instructions = prompt.flatMap((message) => (message.role === "system" ? [message.content] : []));
  return { instructions: instructions.join("|"), messages: prompt.flatMap(shownMessages) };
}

function shownMessages(message: LanguageModelV4Message): ShownMessage[] {
  if (message.role === "system") return [];
  if (message.role === "user")
    return [{ role: "user", text: message.content.map((part) => (part.type === "text" ? part.text : image)).join("") }];
  if (message.role === "tool")
    return message.content.flatMap((part): ShownMessage[] =>
      part.type === "tool-result"
        ? [{ role: "tool", text: part.output.type === "text" ? part.output.value : "?", answers: part.toolCallId }]
        : [],
    );
  const calls = message.content.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.toolCallId, tool: part.toolName, input: part.input }] : [],
  );
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return [{ role: "assistant", text, ...(calls.length === 0 ? {} : { calls }) }];
}
