import { isPlainObject } from "@loci/domain";
import type { SkipReport } from "./skip-report.ts";
import { type Fields, textOf } from "./transcript-records.ts";
import type { SaidTurn } from "./session-turns.ts";

/** A result of a tool that stands among the parts of a message. */
export interface PartResult {
  readonly id: string;
  readonly content: string;
}

/** A message's content by what it is. */
export interface MessageParts {
  readonly text: string;
  readonly calls: NonNullable<SaidTurn["calls"]>;
  readonly results: readonly PartResult[];
}

/** Kinds of parts, in the APIs of OpenAI and Anthropic and in the logs of both. */
const texts: ReadonlySet<unknown> = new Set(["text", "input_text", "output_text", "refusal"]);
const thoughts: ReadonlySet<unknown> = new Set(["thinking", "redacted_thinking", "reasoning", "summary_text"]);

/** Takes a message's content apart: text, or a list of parts. What has no text is reported. */
export function messageParts(content: unknown, line: number, report: SkipReport): MessageParts {
  if (typeof content === "string" || content === undefined || content === null)
    return { text: content ?? "", calls: [], results: [] };
  const said: string[] = [];
  const calls: NonNullable<SaidTurn["calls"]>[number][] = [];
  const results: PartResult[] = [];
  for (const part of Array.isArray(content) ? (content as readonly unknown[]) : [content]) {
    if (typeof part === "string") said.push(part);
    else if (!isPlainObject(part)) report.add("UNKNOWN_RECORD", line);
    else if (texts.has(part["type"])) said.push(textOf(part["text"]) ?? textOf(part["refusal"]) ?? "");
    else if (thoughts.has(part["type"])) report.add("REASONING", line);
    else if (part["type"] === "tool_use") {
      const call = toolCall(part["id"], part["name"], part["input"]);
      if (call === undefined) report.add("UNKNOWN_RECORD", line);
      else calls.push(call);
    } else if (part["type"] === "tool_result" && textOf(part["tool_use_id"]) !== undefined)
      results.push({ id: part["tool_use_id"] as string, content: resultText(part["content"], line, report) });
    else report.add("NOT_TEXT", line);
  }
  return { text: said.filter((text) => text !== "").join("\n\n"), calls, results };
}

/** A result's text: itself, its parts, or what JSON says of any other value. */
export function resultText(content: unknown, line: number, report: SkipReport): string {
  if (typeof content === "string" || content === undefined || content === null) return content ?? "";
  return Array.isArray(content) ? messageParts(content, line, report).text : (jsonOf(content) ?? "");
}

/** A call, unless it lacks its id or name. Arguments that are no text are written as JSON. */
export function toolCall(
  id: unknown,
  name: unknown,
  given: unknown,
): NonNullable<SaidTurn["calls"]>[number] | undefined {
  const [knownId, knownName] = [textOf(id), textOf(name)];
  const written = typeof given === "string" ? given : jsonOf(given ?? {});
  if (knownId === undefined || !knownId.isWellFormed() || knownName === undefined || written === undefined)
    return undefined;
  return { id: knownId, name: knownName, arguments: written };
}

/** `undefined` for what is nested too deep to be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** The calls of a list in the form of the OpenAI API. */
export function openAiCalls(list: unknown, line: number, report: SkipReport): NonNullable<SaidTurn["calls"]> {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).flatMap((entry) => {
    const fields: Fields = isPlainObject(entry) ? entry : {};
    const called: Fields = isPlainObject(fields["function"]) ? fields["function"] : {};
    const call = toolCall(fields["id"], called["name"], called["arguments"]);
    if (call !== undefined) return [call];
    report.add("UNKNOWN_RECORD", line);
    return [];
  });
}
