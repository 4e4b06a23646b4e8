import { addMessage } from "./add-message.ts";
import { SessionTurns } from "./session-turns.ts";
import type { SkipReport } from "./skip-report.ts";
import { entriesOf, type Fields, objectsOf, textOf, type TranscriptRecord } from "./transcript-records.ts";

/** Where programs keep a conversation's messages. */
const lists = ["messages", "history"] as const;
/** Where they keep its id. */
const ids = ["session_id", "conversation_id", "session", "id", "task_id"] as const;

/** True for a record that holds a whole conversation. */
export function holdsMessages(fields: Fields): boolean {
  return lists.some((name) => hasMessages(fields[name]));
}

function hasMessages(list: unknown): boolean {
  return objectsOf(list).some((message) => "role" in message);
}

/** Messages of the OpenAI or Anthropic API: a conversation a record, or a message a record and one conversation in all. */
export function readMessages(records: readonly TranscriptRecord[], report: SkipReport): readonly SessionTurns[] {
  const sessions: SessionTurns[] = [];
  let single: SessionTurns | undefined;
  for (const { line, fields } of records) {
    if (!holdsMessages(fields)) {
      if (single === undefined) sessions.push((single = new SessionTurns(report)));
      addMessage(single, fields, { line, report });
      continue;
    }
    const session = new SessionTurns(report);
    sessions.push(session);
    session.id = idOf(fields);
    session.title = textOf(fields["title"]);
    // Anthropic keeps what is said to the system beside the messages
    if (fields["system"] !== undefined)
      addMessage(session, { role: "system", content: fields["system"] }, { line, report });
    const list = lists.find((name) => hasMessages(fields[name]));
    for (const message of entriesOf(fields[list ?? "messages"], line, report))
      addMessage(session, message, { line, report });
  }
  return sessions;
}

/** A conversation's id as the record has it: text, or a number. */
export function idOf(fields: Fields): string | undefined {
  for (const name of ids) {
    const value = fields[name];
    if (Number.isSafeInteger(value)) return String(value);
    if (textOf(value) !== undefined) return textOf(value);
  }
  return undefined;
}
