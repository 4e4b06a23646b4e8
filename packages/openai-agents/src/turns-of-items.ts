import { withoutRecalled } from "@loci/agent";
import type { ToolCall, TurnInput } from "@loci/domain";
import type { AgentInputItem, FunctionCallResultItem, RunHookEvents, UserMessageItem } from "@openai/agents-core";
import { isOfUser } from "./recalled-in-items.ts";

/** What was said in items, the calls of a step with what came of them. What a model thought is left out. */
export function turnsOfItems(items: readonly AgentInputItem[]): TurnInput[] {
  return turnsWithCalls(items, answeredCalls(items));
}

/** What was said in items, with calls that some of the items are. */
export function turnsWithCalls(items: readonly AgentInputItem[], answered: readonly AnsweredCall[]): TurnInput[] {
  const turns: TurnInput[] = [];
  let texts: string[] = [];
  let calls: AnsweredCall[] = [];
  const endStep = (): void => {
    turns.push(...turnsOfStep(texts.join("\n"), calls));
    texts = [];
    calls = [];
  };
  const left = [...answered];
  for (const item of items) {
    const index = left.findIndex(({ call }) => call.type === item.type && callIdOf(call) === idOf(item));
    if (index !== -1) calls.push(...left.splice(index, 1));
    else if ("role" in item && item.role === "assistant") {
      // What is said with calls stands before them: what has none was said by itself.
      if (calls.length === 0) endStep();
      texts.push(...item.content.flatMap((part) => (part.type === "output_text" ? [part.text] : [])));
    } else if (isOfUser(item)) {
      endStep();
      turns.push({ role: "user", content: withoutRecalled(shownTextOfUser(item)) });
    } else if (item.type === "function_call_result") endStep();
  }
  endStep();
  return turns;
}

/** What a model said in one step, the tools that it called with it, and what they returned. */
function turnsOfStep(content: string, answered: readonly AnsweredCall[]): TurnInput[] {
  if (answered.length === 0) return content === "" ? [] : [{ role: "assistant", content }];
  return [
    { role: "assistant", content, toolCalls: answered.map(toolCallOf) },
    ...answered.map(({ tool, call, result }): TurnInput => ({
      role: "tool",
      content: typeof result === "string" ? result : (JSON.stringify(result) ?? ""),
      name: tool,
      toolCallId: callIdOf(call),
    })),
  ];
}

function toolCallOf({ tool: name, call }: AnsweredCall): ToolCall {
  const input = call.type === "function_call" ? call.arguments : JSON.stringify("action" in call ? call.action : {});
  return { id: callIdOf(call), type: "function", function: { name, arguments: input } };
}

function idOf(item: AgentInputItem): string | null | undefined {
  return "callId" in item ? item.callId : item.id;
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
export function turnsOfCall(answered: AnsweredCall): TurnInput[] {
  return turnsOfStep("", [answered]);
}

export function callIdOf(call: ToldCall): string {
  const id = "callId" in call ? call.callId : call.id;
  return id || "call";
}
