import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatMessage, ToolCall } from "@loci/domain";
import type { GivenConversation } from "./context-step.ts";

const agentLogs = ["pydicom-1458.traj.json", "marshmallow-1867.function_calling.traj.json"] as const;

/**
 * Logs of coding agents and dialogues of an airline's agent with its tools, each up to its last model call.
 *
 * @param folder what `LOCI_BENCHMARK_DATA` names
 * @throws Error when a file is missing or is not what it should be
 */
export function readRealConversations(folder: string): readonly GivenConversation[] {
  const read = (...path: readonly string[]): string => readFileSync(join(folder, "real-inputs", ...path), "utf8");
  const logs = agentLogs.map((file): GivenConversation => {
    const { history } = JSON.parse(read("swe-agent", file)) as { readonly history: readonly LoggedMessage[] };
    return { name: file.slice(0, file.indexOf(".")), isReal: true, messages: lastCall(history.map(messageOf)) };
  });
  const policy: ChatMessage = { role: "system", content: read("tau-bench", "airline-wiki.md") };
  const dialogues = read("tau-bench", "airline-gpt4o-8.jsonl")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line): GivenConversation => {
      const { task_id: id, messages } = JSON.parse(line) as LoggedDialogue;
      return { name: `airline-${id}`, isReal: true, messages: [policy, ...lastCall(messages.map(messageOf))] };
    });
  return [...logs, ...dialogues];
}

interface LoggedDialogue {
  readonly task_id: number;
  readonly messages: readonly LoggedMessage[];
}

interface LoggedMessage {
  readonly role: ChatMessage["role"];
  readonly content?: string | null;
  readonly tool_calls?: readonly ToolCall[] | null;
  readonly tool_call_id?: string;
  /** In the place of `tool_call_id` in logs of one agent. */
  readonly tool_call_ids?: readonly string[];
}

/** The fields of the chat API; logs have others besides. */
function messageOf({ role, content, tool_calls: calls, ...rest }: LoggedMessage): ChatMessage {
  const answered = rest.tool_call_id ?? rest.tool_call_ids?.[0];
  return {
    role,
    content: content ?? null,
    ...(calls === undefined || calls === null || calls.length === 0
      ? {}
      : { tool_calls: calls.map(({ id, function: called }) => ({ id, type: "function", function: called })) }),
    ...(role !== "tool" || answered === undefined ? {} : { tool_call_id: answered }),
  };
}

/** What the model was sent before its last answer. */
function lastCall(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  return messages.slice(
    0,
    messages.findLastIndex(({ role }) => role === "assistant"),
  );
}
