import type { ToolCall, TurnInput } from "@loci/domain";
import type { PromptMessage, PromptPart, PromptToolOutput, ShownPart } from "./model-prompt.ts";

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
export function questionOf(prompt: readonly PromptMessage[]): PromptQuestion | undefined {
  const place = prompt.findLastIndex(({ role }) => role === "user");
  const message = prompt[place];
  if (message?.role !== "user") return undefined;
  // Who sends several messages before there is an answer is answered them all.
  const start = prompt.findLastIndex(({ role }, index) => index < place && role !== "user") + 1;
  const before = prompt.slice(0, start).flatMap(turnsOf);
  return {
    place,
    text: textsOf(message.content),
    position: before.length + place - start,
    earlier: prompt.slice(0, place).flatMap((each) => (each.role === "user" ? [textsOf(each.content)] : [])),
    before,
    turns: prompt.slice(start).flatMap(turnsOf),
  };
}

/** One turn of the assistant, and behind it the results of tools that its provider has called. What it thinks is not kept. */
export function assistantTurns(parts: readonly PromptPart[]): readonly TurnInput[] {
  const content: string[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of parts)
    if (part.type === "text" || part.type === "file") content.push(textOfPart(part));
    else if (part.type === "tool-call") {
      const { toolCallId: id, toolName: name, input } = part;
      toolCalls.push({ id, type: "function", function: { name, arguments: textOfValue(input) } });
    }
  if (content.length + toolCalls.length === 0) return [];
  const calls = toolCalls.length === 0 ? {} : { toolCalls };
  const called = new Set(toolCalls.map(({ id }) => id));
  const answered = toolTurns(parts).filter(({ toolCallId = "" }) => called.has(toolCallId));
  return [{ role: "assistant", content: content.join(""), ...calls }, ...answered];
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
      return toolTurns(message.content);
  }
}

function toolTurns(parts: readonly PromptPart[]): readonly TurnInput[] {
  return parts.flatMap((part): TurnInput[] =>
    part.type === "tool-result"
      ? [{ role: "tool", content: textOfOutput(part.output), toolCallId: part.toolCallId }]
      : [],
  );
}

function textsOf(parts: readonly ShownPart[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function textOfPart(part: ShownPart): string {
  return part.type === "text" ? part.text : nameOfFile(part.mediaType);
}

function nameOfFile(mediaType: string): string {
  return mediaType.startsWith("image") ? "[image]" : "[file]";
}

function textOfOutput(output: PromptToolOutput): string {
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
      return output.value
        .map(({ text, mediaType }) => text ?? (mediaType === undefined ? "" : nameOfFile(mediaType)))
        .join("\n");
  }
}

function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
