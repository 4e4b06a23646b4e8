import type { ToolCall, TurnInput } from "@loci/domain";
import type { Prompt, PromptMessage, ToolOutput, UserMessage } from "./prompt.ts";

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
export function questionOf(prompt: Prompt): PromptQuestion | undefined {
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

function textsOf({ content }: UserMessage): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function turnsOf(message: PromptMessage): readonly TurnInput[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: message.content.map(textOfPart).join("\n") }];
    case "assistant":
      return assistantTurns(message.content);
    case "tool":
      return message.content.flatMap((part): TurnInput[] =>
        part.type === "tool-result"
          ? [{ role: "tool", content: textOfOutput(part.output), toolCallId: part.toolCallId }]
          : [],
      );
  }
}

/** One turn, and behind it the results of tools that the provider has called. What a model thinks is not kept. */
function assistantTurns(parts: Extract<PromptMessage, { role: "assistant" }>["content"]): readonly TurnInput[] {
  const content: string[] = [];
  const toolCalls: ToolCall[] = [];
  const results: TurnInput[] = [];
  for (const part of parts)
    if (part.type === "text" || part.type === "file") content.push(textOfPart(part));
    else if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      const written = typeof input === "string" ? input : textOfValue(input);
      toolCalls.push({ id, type: "function", function: { name, arguments: written } });
    } else if (part.type === "tool-result")
      results.push({ role: "tool", content: textOfOutput(part.output), toolCallId: part.toolCallId });
  if (content.length + toolCalls.length === 0) return [];
  const called = new Set(toolCalls.map(({ id }) => id));
  return [
    { role: "assistant", content: content.join(""), ...(toolCalls.length === 0 ? {} : { toolCalls }) },
    ...results.filter(({ toolCallId = "" }) => called.has(toolCallId)),
  ];
}

function textOfPart(
  part: { readonly type: "text"; readonly text: string } | { readonly type: "file"; readonly mediaType: string },
): string {
  if (part.type === "text") return part.text;
  return part.mediaType.startsWith("image") ? "[image]" : "[file]";
}

/** Newer models know more kinds of outputs than the type has. */
function textOfOutput(output: ToolOutput | { readonly type: "execution-denied"; readonly reason?: string }): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return textOfValue(output.value);
    case "content":
      return output.value.map((part) => (part.type === "text" ? part.text : "[file]")).join("\n");
    case "execution-denied":
      return output.reason ?? "The user did not allow it.";
  }
}

function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
