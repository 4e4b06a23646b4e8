import type {
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { ToolCall, TurnInput } from "@loci/domain";

/** A question among the messages of a call, and what was said around it, as turns. */
export interface PromptQuestion {
  /** Its place in the prompt. */
  readonly place: number;
  /** Its texts. */
  readonly text: string;
  /** How many turns are before it. */
  readonly position: number;
  /** What the user said before it, oldest first. */
  readonly earlier: readonly string[];
  /** What was answered before. */
  readonly before: readonly TurnInput[];
  /** What the user said since, the question last, and the calls of tools and their results so far. */
  readonly turns: readonly TurnInput[];
}

/** The latest message of the user. `undefined` when there is none. */
export function questionOf(prompt: LanguageModelV4Prompt): PromptQuestion | undefined {
  const place = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[place];
  if (message?.role !== "user") return undefined;
  // Who sends several messages before there is an answer is answered them all.
  const start = prompt.findLastIndex(({ role }, index) => index < place && role !== "user") + 1;
  const before = prompt.slice(0, start).flatMap(turnsOf);
  return {
    place,
    text: textsOf(message),
    position: before.length + place - start,
    earlier: prompt.slice(0, place).flatMap((message) => (message.role === "user" ? [textsOf(message)] : [])),
    before,
    turns: prompt.slice(start).flatMap(turnsOf),
  };
}

function textsOf({ content }: Extract<LanguageModelV4Message, { role: "user" }>): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** What a model answered in one step, as turns: what it said, and what tools of its provider returned. */
export function answerTurns(content: readonly LanguageModelV4Content[]): readonly TurnInput[] {
  return assistantTurns(
    content.flatMap((part): AssistantPart[] => {
      if (part.type === "text" || part.type === "file") return [part];
      if (part.type === "tool-call") return [{ ...part, input: part.input }];
      if (part.type !== "tool-result" || part.preliminary === true) return [];
      return [{ type: "tool-result", toolCallId: part.toolCallId, text: textOfValue(part.result) }];
    }),
  );
}

function turnsOf(message: LanguageModelV4Message): readonly TurnInput[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: message.content.map(textOfPart).join("\n") }];
    case "assistant":
      return assistantTurns(
        message.content.flatMap((part): AssistantPart[] => {
          if (part.type === "text" || part.type === "file") return [part];
          if (part.type === "tool-call") return [{ ...part, input: textOfInput(part.input) }];
          if (part.type !== "tool-result") return [];
          return [{ type: "tool-result", toolCallId: part.toolCallId, text: textOfOutput(part.output) }];
        }),
      );
    case "tool":
      return message.content.flatMap((part): TurnInput[] =>
        part.type === "tool-result"
          ? [{ role: "tool", content: textOfOutput(part.output), toolCallId: part.toolCallId }]
          : [],
      );
  }
}

type AssistantPart =
  | FileOrText
  | { readonly type: "tool-call"; readonly toolCallId: string; readonly toolName: string; readonly input: string }
  | { readonly type: "tool-result"; readonly toolCallId: string; readonly text: string };

type FileOrText =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string };

/** One turn of the assistant, and behind it the results that came with it. What it thinks is not kept. */
function assistantTurns(parts: readonly AssistantPart[]): readonly TurnInput[] {
  const content: string[] = [];
  const toolCalls: ToolCall[] = [];
  const results: TurnInput[] = [];
  for (const part of parts)
    if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      toolCalls.push({ id, type: "function", function: { name, arguments: input } });
    } else if (part.type === "tool-result") {
      results.push({ role: "tool", content: part.text, toolCallId: part.toolCallId });
    } else content.push(textOfPart(part));
  if (content.length + toolCalls.length === 0) return [];
  const calls = toolCalls.length === 0 ? {} : { toolCalls };
  const called = new Set(toolCalls.map(({ id }) => id));
  const answered = results.filter(({ toolCallId = "" }) => called.has(toolCallId));
  return [{ role: "assistant", content: content.join(""), ...calls }, ...answered];
}

function textOfPart(part: FileOrText): string {
  if (part.type === "text") return part.text;
  return part.mediaType.startsWith("image") ? "[image]" : "[file]";
}

function textOfInput(input: unknown): string {
  return typeof input === "string" ? input : textOfValue(input);
}

function textOfOutput(output: LanguageModelV4ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return textOfValue(output.value);
    case "execution-denied":
      return output.reason ?? "The user did not allow it.";
    case "content":
      return output.value.map((part) => (part.type === "custom" ? "" : textOfPart(part))).join("\n");
  }
}

function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
