import { isPlainObject, type MessageRole } from "@loci/domain";
import { toolCall } from "./message-parts.ts";
import { idOf } from "./read-messages.ts";
import { SessionTurns } from "./session-turns.ts";
import type { SkipReport } from "./skip-report.ts";
import { entriesOf, type Fields, textOf, type TranscriptRecord } from "./transcript-records.ts";

const speakers: Readonly<Record<string, MessageRole | "call">> = {
  system: "system",
  human: "user",
  user: "user",
  gpt: "assistant",
  chatgpt: "assistant",
  bing: "assistant",
  bard: "assistant",
  assistant: "assistant",
  model: "assistant",
  function_call: "call",
  tool_call: "call",
  observation: "tool",
  function_response: "tool",
  function: "tool",
  tool: "tool",
};

/** ShareGPT: a conversation a record, of `{ from, value }`. Calls and results have no ids; they follow each other. */
export function readShareGpt(records: readonly TranscriptRecord[], report: SkipReport): readonly SessionTurns[] {
  return records.map(({ line, fields }) => {
    const session = new SessionTurns(report);
    session.id = idOf(fields);
    session.title = textOf(fields["title"]);
    if (textOf(fields["system"]) !== undefined)
      session.add({ role: "system", content: fields["system"] as string }, line);
    for (const [position, entry] of entriesOf(fields["conversations"], line, report).entries())
      addEntry(session, entry, { line, position, report });
    return session;
  });
}

interface EntryPlace {
  readonly line: number;
  readonly position: number;
  readonly report: SkipReport;
}

function addEntry(session: SessionTurns, entry: Fields, { line, position, report }: EntryPlace): void {
  const [from, content] = [String(entry["from"]), entry["value"]];
  const role = Object.hasOwn(speakers, from) ? speakers[from] : undefined;
  if (role === undefined || typeof content !== "string") return report.add("UNKNOWN_RECORD", line);
  if (role === "tool") return session.add({ role, content, answers: session.openCall() }, line);
  if (role !== "call") return session.add({ role, content }, line);
  const called = calledIn(content);
  const call = toolCall(`call-${position}`, called["name"], called["arguments"]);
  if (call === undefined) return report.add("UNKNOWN_RECORD", line);
  session.add({ role: "assistant", content: "", calls: [call] }, line);
}

/** Calls are written as JSON. */
function calledIn(content: string): Fields {
  try {
    const value: unknown = JSON.parse(content);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
