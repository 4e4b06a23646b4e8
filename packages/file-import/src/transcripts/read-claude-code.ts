import { isPlainObject } from "@loci/domain";
import { addMessage } from "./add-message.ts";
import { SessionTurns } from "./session-turns.ts";
import type { SkipReport } from "./skip-report.ts";
import { type Fields, textOf, type TranscriptRecord } from "./transcript-records.ts";

/** Marks of what no one said: instructions, a summary in place of earlier turns, an error of the service. */
const programMarks = ["isMeta", "isCompactSummary", "isApiErrorMessage"] as const;
/** How messages begin that the program writes in the user's name: its own commands and what they print. */
const programTexts = ["<command-name>", "<command-message>", "<local-command-stdout>"];

/**
 * The log of Claude Code: a record for each block of a message, under the message's id; notes of the program between them.
 * What an agent said that was started by another one is left out, unless the log has nothing else. A session that was
 * resumed repeats what was said before, with the ids it had.
 */
export function readClaudeCode(records: readonly TranscriptRecord[], report: SkipReport): readonly SessionTurns[] {
  const sessions = new Map<string, SessionTurns>();
  const seen = new Set<string>();
  const isOfOneAgent = !records.some(({ fields }) => isSaid(fields) && fields["isSidechain"] !== true);
  let title: string | undefined;
  for (const { line, fields } of records) {
    const { type, message, uuid, sessionId, timestamp } = fields;
    if (type === "summary") title = textOf(fields["summary"]) ?? title;
    if ((type !== "user" && type !== "assistant") || !isPlainObject(message)) {
      report.add(typeof type === "string" ? "OF_THE_PROGRAM" : "UNKNOWN_RECORD", line);
      continue;
    }
    if (programMarks.some((mark) => fields[mark] === true) || isOfProgram(message["content"]))
      report.add("OF_THE_PROGRAM", line);
    else if (fields["isSidechain"] === true && !isOfOneAgent) report.add("OF_ANOTHER_AGENT", line);
    else if (typeof uuid === "string" && seen.has(uuid)) report.add("SAID_TWICE", line);
    else {
      if (typeof uuid === "string") seen.add(uuid);
      const id = textOf(sessionId) ?? "";
      let session = sessions.get(id);
      if (session === undefined) sessions.set(id, (session = new SessionTurns(report)));
      session.id = id === "" ? undefined : id;
      addMessage(session, { role: type, ...message }, { line, report, at: timestamp, part: textOf(message["id"]) });
    }
  }
  const [first] = sessions.values();
  if (first !== undefined && sessions.size === 1) first.title = title;
  return [...sessions.values()];
}

function isSaid({ type }: Fields): boolean {
  return type === "user" || type === "assistant";
}

function isOfProgram(content: unknown): boolean {
  return typeof content === "string" && programTexts.some((start) => content.startsWith(start));
}
