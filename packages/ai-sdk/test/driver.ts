import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { AgentDriver, DrivenQuestion, ModelScript, ShownCall, ShownMessage } from "@loci/agent/conformance";
import { image, type ToldMessage } from "@loci/agent/conformance";
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  type Tool,
  wrapLanguageModel,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { lociMiddleware } from "../src/index.ts";

/** Programs of the AI SDK that generate or stream a text, and keep the messages themselves. */
export const aiSdkDriver: AgentDriver<readonly ModelMessage[]> = {
  name: "ai-sdk",
  start: (options) => {
    // Who speaks comes with each call.
    const middleware = lociMiddleware(options);
    return {
      settled: () => middleware.settled(),
      ask: async (question) => {
        const { conversation, history = [], messages, instructions, script, isStreamed, signal } = question;
        const all = [...history, ...messages.map(messageOfUser)];
        const call = {
          model: wrapLanguageModel({ model: scriptedModel(script), middleware }),
          instructions,
          messages: all,
          tools: toolsOf(question),
          stopWhen: isStepCount(10),
          maxRetries: 0,
          abortSignal: signal,
          providerOptions: conversation === undefined ? {} : { loci: { ...conversation } as { scope: string } },
        };
        if (!isStreamed) {
          const { text, responseMessages } = await generateText(call);
          return { text, history: [...all, ...responseMessages] };
        }
        const result = streamText({ ...call, onError: () => undefined });
        for await (const part of result.stream) {
          if (part.type === "error") throw part.error;
          if (part.type === "abort") throw signal.reason;
        }
        return { text: await result.text, history: [...all, ...(await result.responseMessages)] };
      },
    };
  },
};

function messageOfUser(message: ToldMessage): ModelMessage {
  if (typeof message === "string") return { role: "user", content: message };
  return {
    role: "user",
    content: message.map((part) =>
      part === image ? { type: "file", data: "iVBORw0KGgo=", mediaType: "image/png" } : { type: "text", text: part },
    ),
  };
}

function toolsOf({ script }: DrivenQuestion<unknown>) {
  const entries = script.tools.map((name) => [
    name,
    tool({
      inputSchema: jsonSchema<object>({ type: "object" }),
      execute: async (_input, { toolCallId }) => script.resultOf(toolCallId),
    }),
  ]);
  return Object.fromEntries(entries) as Record<string, Tool<object, string>>;
}

function scriptedModel(script: ModelScript): MockLanguageModelV4 {
  return new MockLanguageModelV4({
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
