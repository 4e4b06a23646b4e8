import { withoutRecalled } from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import type { AgentInputItem, FunctionCallResultItem, RunHookEvents, UserMessageItem } from "@openai/agents-core";
import { isOfUser } from "./recalled-in-items.ts";

/** What was said in items, each call of a tool with what came of it. What a model thought is left out. */
export function turnsOfItems(items: readonly AgentInputItem[]): TurnInput[] {
  return items.flatMap((item): TurnInput[] => {
    if (isOfUser(item)) return [{ role: "user", content: withoutRecalled(shownTextOfUser(item)) }];
    if (item.type === "function_call") {
      const answered = answeredCalls([item], items);
      return answered.flatMap(({ tool, call, result }) => turnsOfCall(tool, call, result));
    }
    if (!("role" in item) || item.role !== "assistant") return [];
    const content = item.content.flatMap((part) => (part.type === "output_text" ? [part.text] : [])).join("\n");
    return content === "" ? [] : [{ role: "assistant", content }];
  });
}

/** A call that a tool has answered. */
export interface AnsweredCall {
  readonly tool: string;
  readonly call: ToldCall;
  readonly result: unknown;
}

/** The calls of functions that have their result among the items. */
export function answeredCalls(
  calls: readonly AgentInputItem[],
  items: readonly AgentInputItem[] = calls,
): AnsweredCall[] {
  return calls.flatMap((call): AnsweredCall[] => {
    if (call.type !== "function_call") return [];
    const answer = items.find((item) => item.type === "function_call_result" && item.callId === call.callId);
    if (answer?.type !== "function_call_result") return [];
    return [{ tool: call.name, call, result: textOfOutput(answer.output) }];
  });
}

/** With a word for what is no text. */
function shownTextOfUser({ content }: UserMessageItem): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => (part.type === "input_text" ? part.text : part.type === "input_image" ? "[image]" : "[file]"))
    .join("\n");
}

function textOfOutput(output: FunctionCallResultItem["output"]): unknown {
  return typeof output === "object" && "text" in output ? output.text : output;
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
