import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What the model answers in one call, or how it fails. */
export type Answer = string | LanguageModelV4Content[] | Error;

/** A model that answers in order what it is told to, and keeps what it was shown. */
export class RecordingModel extends MockLanguageModelV4 {
  /** @param pieceDelay before each part of a stream but the first, in milliseconds */
  constructor(answers: readonly Answer[], pieceDelay = 0) {
    const left = [...answers];
    const next = (): Exclude<Answer, Error> => {
      const answer = left.shift() ?? "Nothing is left to say.";
      if (answer instanceof Error) throw answer;
      return answer;
    };
    super({
      supportedUrls: { "*/*": [/./] },
      doGenerate: async ({ abortSignal }) => {
        abortSignal?.throwIfAborted();
        return resultOf(contentOf(next()));
      },
      doStream: async ({ abortSignal }) => ({ stream: streamOf(contentOf(next()), pieceDelay, abortSignal) }),
    });
  }

  get prompts(): readonly LanguageModelV4Prompt[] {
    return this.#calls.map(({ prompt }) => prompt);
  }

  get #calls(): readonly LanguageModelV4CallOptions[] {
    return [...this.doGenerateCalls, ...this.doStreamCalls];
  }
}

/** A call of a tool. */
export function calls(toolName: string, input: object, toolCallId = `call-${toolName}`): LanguageModelV4Content[] {
  return [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }];
}

function contentOf(answer: string | LanguageModelV4Content[]): LanguageModelV4Content[] {
  return typeof answer === "string" ? [{ type: "text", text: answer }] : answer;
}

function finishReasonOf(content: readonly LanguageModelV4Content[]): LanguageModelV4FinishReason {
  return { unified: content.some(({ type }) => type === "tool-call") ? "tool-calls" : "stop", raw: undefined };
}

function resultOf(content: LanguageModelV4Content[]): LanguageModelV4GenerateResult {
  return { content, finishReason: finishReasonOf(content), usage, warnings: [] };
}

function streamOf(
  content: readonly LanguageModelV4Content[],
  pieceDelay: number,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = streamParts(content);
  return new ReadableStream({
    async pull(controller) {
      if (signal?.aborted === true) return controller.error(signal.reason);
      const part = parts.shift();
      if (part === undefined) return controller.close();
      controller.enqueue(part);
      if (pieceDelay > 0) await new Promise((resolve) => setTimeout(resolve, pieceDelay));
    },
  });
}

/** The parts of a stream that says this, a word each. */
export function streamParts(content: readonly LanguageModelV4Content[]): LanguageModelV4StreamPart[] {
  const said = content.flatMap((part, index): LanguageModelV4StreamPart[] => {
    if (part.type !== "text") return part.type === "tool-call" ? [part] : [];
    const id = String(index);
    const words = part.text.split(/(?<= )/);
    return [
      { type: "text-start", id },
      ...words.map((delta): LanguageModelV4StreamPart => ({ type: "text-delta", id, delta })),
      { type: "text-end", id },
    ];
  });
  return [
    { type: "stream-start", warnings: [] },
    ...said,
    { type: "finish", finishReason: finishReasonOf(content), usage },
  ];
}
