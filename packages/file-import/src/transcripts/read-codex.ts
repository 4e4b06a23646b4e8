import { isPlainObject } from "@loci/domain";
import { addMessage } from "./add-message.ts";
import { resultText, toolCall } from "./message-parts.ts";
import { SessionTurns } from "./session-turns.ts";
import type { SkipReport } from "./skip-report.ts";
import { type Fields, objectsOf, textOf, type TranscriptRecord } from "./transcript-records.ts";

/** Kinds of calls and of results; they differ in what they call their input. */
const calls: ReadonlySet<unknown> = new Set(["function_call", "custom_tool_call", "local_shell_call"]);
const results: ReadonlySet<unknown> = new Set([
  "function_call_output",
  "custom_tool_call_output",
  "local_shell_call_output",
]);
/** Events that say for the screen what an item says as well. */
const repeats: ReadonlySet<unknown> = new Set(["user_message", "agent_message", "agent_reasoning"]);
/** How messages begin that the program writes in the user's name. */
const programTexts = ["<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions"];

/** Where a reading of a log stands. */
interface CodexReading {
  readonly session: SessionTurns;
  readonly report: SkipReport;
  /** Grows with each thing that somebody else than the assistant said. What an assistant says in between is one turn. */
  exchange: number;
}

/**
 * The log of a Codex session: items of a conversation, in newer versions each in an envelope, between events that repeat
 * them for the screen. What the assistant says and calls without waiting for an answer is one turn.
 */
export function readCodex(records: readonly TranscriptRecord[], report: SkipReport): readonly SessionTurns[] {
  const reading: CodexReading = { session: new SessionTurns(report), report, exchange: 0 };
  for (const { line, fields } of records) {
    const { type, payload, timestamp } = fields;
    if (!isPlainObject(payload)) addItem(reading, fields, timestamp, line);
    else if (type === "response_item") addItem(reading, payload, timestamp, line);
    else {
      if (type === "session_meta") reading.session.id ??= textOf(payload["id"]);
      report.add(repeats.has(payload["type"]) ? "SAID_TWICE" : "OF_THE_PROGRAM", line);
    }
  }
  return [reading.session];
}

function addItem(reading: CodexReading, item: Fields, at: unknown, line: number): void {
  const { session, report } = reading;
  const { type, call_id: callId } = item;
  const part = `exchange-${reading.exchange}`;
  if (type === "message") {
    if (item["role"] === "assistant") return addMessage(session, item, { line, report, at, part });
    reading.exchange++;
    if (isOfProgram(item)) report.add("OF_THE_PROGRAM", line);
    else addMessage(session, item, { line, report, at });
  } else if (calls.has(type)) {
    const call = toolCall(callId, item["name"] ?? "shell", item["arguments"] ?? item["input"] ?? item["action"]);
    if (call === undefined) report.add("UNKNOWN_RECORD", line);
    else session.add({ role: "assistant", content: "", calls: [call], at, part }, line);
  } else if (results.has(type)) {
    reading.exchange++;
    const content = resultText(outputOf(item["output"]), line, report);
    session.add({ role: "tool", content, answers: textOf(callId), at }, line);
  } else if (type === "reasoning") report.add("REASONING", line);
  else if (type === undefined && item["id"] !== undefined) {
    // Older logs begin with a record of the session itself
    session.id ??= textOf(item["id"]);
    report.add("OF_THE_PROGRAM", line);
  } else report.add(typeof type === "string" || "record_type" in item ? "OF_THE_PROGRAM" : "UNKNOWN_RECORD", line);
}

/** Some versions wrap an output as `{ content, success }`. */
function outputOf(output: unknown): unknown {
  return isPlainObject(output) && "content" in output ? output["content"] : output;
}

function isOfProgram({ role, content }: Fields): boolean {
  if (role === "developer") return true;
  const text = textOf(objectsOf(content)[0]?.["text"])?.trimStart();
  return text !== undefined && programTexts.some((start) => text.startsWith(start));
}
