import { withoutRecalled } from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import type { AgentInputItem, RunHookEvents } from "@openai/agents-core";
import { isOfUser, textOfUser } from "./recalled-in-items.ts";

/** What was said in items, in words: calls of tools and their results are left out, and what a model thought. */
export function turnsSaid(items: readonly AgentInputItem[]): TurnInput[] {
  return items.flatMap((item): TurnInput[] => {
    if (isOfUser(item)) return [{ role: "user", content: withoutRecalled(textOfUser(item)) }];
    if (!("role" in item) || item.role !== "assistant") return [];
    const content = item.content.flatMap((part) => (part.type === "output_text" ? [part.text] : [])).join("\n");
    return content === "" ? [] : [{ role: "assistant", content }];
  });
}

/** A call as the SDK tells of it when the tool begins, and when it has answered. */
export type ToldCall = RunHookEvents["agent_tool_end"][4]["toolCall"];

/** A call of a tool and what came of it. */
export function turnsOfCall(tool: string, call: ToldCall, result: unknown): TurnInput[] {
  const id = callIdOf(call);
  const input = call.type === "function_call" ? call.arguments : JSON.stringify("action" in call ? call.action : {});
  const content = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return [
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id, type: "function", function: { name: tool, arguments: input } }],
    },
    { role: "tool", content, name: tool, toolCallId: id },
  ];
}

export function callIdOf(call: ToldCall): string {
  const id = "callId" in call ? call.callId : call.id;
  return id || "call";
}
