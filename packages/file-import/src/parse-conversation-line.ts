import { type ConversationTurn, LociError } from "@loci/domain";
import { memoriesOfOthers } from "./memories-of-others.ts";

/** A turn and the conversation it belongs to. */
export interface SessionTurn extends ConversationTurn {
  readonly session: string;
}

/**
 * Reads one line of a conversation file.
 *
 * @param place file and line, for the error message
 * @throws LociError `INVALID_REQUEST`
 */
export function parseConversationLine(line: string, place: string): SessionTurn {
  const refuse = (problem: string): never => {
    throw new LociError("INVALID_REQUEST", {
      message: `${place} ${problem}.`,
      resource: place,
      advice:
        'A line is {"session":"kick-off","id":"1","speaker":"Mara","content":"…","at":"2026-11-22T09:00:00Z"}, or the whole ' +
        "file is a transcript: messages of the OpenAI or Anthropic API, ShareGPT, a session log of Claude Code or Codex. " +
        memoriesOfOthers,
    });
  };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // What was thrown quotes the line, which may hold anything.
    refuse("is not JSON");
  }
  if (typeof value !== "object" || value === null) refuse("is not an object");
  const fields = value as Readonly<Record<string, unknown>>;
  const text = (name: string): string => {
    const field = fields[name];
    return typeof field === "string" && field !== "" ? field : refuse(`has no text in "${name}"`);
  };
  const at = typeof fields["at"] === "number" ? fields["at"] : Date.parse(text("at"));
  if (!Number.isSafeInteger(at)) refuse('has no date in "at"');
  return { session: text("session"), id: text("id"), speaker: text("speaker"), content: text("content"), at };
}
