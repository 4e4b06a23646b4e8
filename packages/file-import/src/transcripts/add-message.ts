import { isPlainObject, type MessageRole } from "@loci/domain";
import { messageParts, openAiCalls, resultText, toolCall } from "./message-parts.ts";
import type { SessionTurns } from "./session-turns.ts";
import type { SkipReport } from "./skip-report.ts";
import { type Fields, textOf } from "./transcript-records.ts";

const roles: Readonly<Record<string, MessageRole>> = {
  system: "system",
  developer: "developer",
  user: "user",
  human: "user",
  assistant: "assistant",
  model: "assistant",
  tool: "tool",
  function: "tool",
};

/** What a record says of a message besides the message itself. */
export interface MessagePlace {
  readonly line: number;
  readonly report: SkipReport;
  /** When the message does not say it. */
  readonly at?: unknown;
  /** See `SaidTurn`. */
  readonly part?: string | undefined;
}

/**
 * Adds a message of the OpenAI or the Anthropic API. The results that a user's message carries become turns of tools before
 * the text of the user, as the model saw them.
 */
export function addMessage(session: SessionTurns, message: Fields, place: MessagePlace): void {
  const { line, report, part } = place;
  const role = Object.hasOwn(roles, String(message["role"])) ? roles[String(message["role"])] : undefined;
  if (role === undefined) return report.add("UNKNOWN_RECORD", line);
  const at = message["timestamp"] ?? message["created_at"] ?? place.at;
  const name = textOf(message["name"]);
  if (role === "tool") {
    const answers = answeredCall(message) ?? session.openCall(name);
    session.add({ role, content: resultText(message["content"], line, report), name, answers, at }, line);
    return;
  }
  const { text, calls, results } = messageParts(message["content"], line, report);
  for (const { id, content } of results) session.add({ role: "tool", content, answers: id, at }, line);
  const outside = [...openAiCalls(message["tool_calls"], line, report), ...legacyCalls(message, line, report)];
  const allCalls = [...calls, ...outside];
  // Only an assistant calls
  if (role !== "assistant") for (const _ of allCalls) report.add("UNKNOWN_RECORD", line);
  // A message of results only has said all it says
  if (results.length > 0 && text === "" && allCalls.length === 0) return;
  session.add({ role, content: text, name, calls: role === "assistant" ? allCalls : [], at, part }, line);
}

/** A list of ids has one: a result answers one call. */
function answeredCall(message: Fields): string | undefined {
  const ids: unknown = message["tool_call_ids"];
  return textOf(message["tool_call_id"]) ?? (Array.isArray(ids) ? textOf(ids[0]) : undefined);
}

/** Before calls had ids there was one a message. */
function legacyCalls(message: Fields, line: number, report: SkipReport): ReturnType<typeof openAiCalls> {
  const called = message["function_call"];
  if (called === undefined || called === null) return [];
  const call = isPlainObject(called) ? toolCall(`call-${line}`, called["name"], called["arguments"]) : undefined;
  if (call !== undefined) return [call];
  report.add("UNKNOWN_RECORD", line);
  return [];
}
