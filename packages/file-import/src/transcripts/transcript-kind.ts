import { isPlainObject } from "@loci/domain";
import { holdsMessages } from "./read-messages.ts";
import type { TranscriptKind } from "./transcript.ts";
import { type Fields, objectsOf, type TranscriptRecord } from "./transcript-records.ts";

/** Records that are looked at. Logs may begin with notes that say nothing of their kind. */
const lookedAt = 100;

const codexTypes: ReadonlySet<unknown> = new Set(["session_meta", "response_item", "event_msg", "turn_context"]);
const codexItems: ReadonlySet<unknown> = new Set([
  "message",
  "function_call",
  "function_call_output",
  "reasoning",
  "custom_tool_call",
  "local_shell_call",
]);
const anthropicParts: ReadonlySet<unknown> = new Set(["tool_use", "tool_result", "thinking"]);

/** The kind of a transcript, by what its first records hold, or `undefined` when none is of a known form. */
export function transcriptKind(records: readonly TranscriptRecord[]): TranscriptKind | undefined {
  const first = records.slice(0, lookedAt).map(({ fields }) => fields);
  for (const fields of first) {
    const { type, message, payload, conversations } = fields;
    if (objectsOf(conversations).some((entry) => "from" in entry && "value" in entry)) return "sharegpt";
    if ((type === "user" || type === "assistant") && isPlainObject(message)) return "claude-code";
    if (codexTypes.has(type) && isPlainObject(payload)) return "codex";
    if (holdsMessages(fields) || isMessage(fields)) return first.some(isAnthropic) ? "anthropic" : "openai";
    if (codexItems.has(type)) return "codex";
  }
  return undefined;
}

/** Items of Codex have a type as well; messages of Anthropic are of the type `message` and have content of their own form. */
function isMessage(fields: Fields): boolean {
  if (typeof fields["role"] !== "string" || !("content" in fields || "tool_calls" in fields)) return false;
  return !objectsOf(fields["content"]).some(({ type }) => type === "input_text" || type === "output_text");
}

/** Only what an OpenAI conversation cannot hold. */
function isAnthropic(fields: Fields): boolean {
  if ("system" in fields && holdsMessages(fields)) return true;
  return [fields, ...objectsOf(fields["messages"])].some(({ content }) =>
    objectsOf(content).some(({ type }) => anthropicParts.has(type)),
  );
}
