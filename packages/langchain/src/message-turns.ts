import { AIMessage, type BaseMessage, ChatMessage, ToolMessage } from "@langchain/core/messages";
import { parseRedactedJson, turnWithoutCall } from "@loci/agent";
import { LociError, type MessageRole, type ToolCall, type TurnInput } from "@loci/domain";
import { fieldsOf, type MessageFields, messageWith } from "./message-fields.ts";

type CalledTool = NonNullable<AIMessage["tool_calls"]>[number];
type MisunderstoodCall = NonNullable<AIMessage["invalid_tool_calls"]>[number];

const roles = new Map<string, MessageRole>([
  ["human", "user"],
  ["ai", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
  ["function", "tool"],
]);
const namedRoles: ReadonlySet<string> = new Set<MessageRole>(["system", "developer", "user", "assistant"]);

/** How LangChain marks a system message that OpenAI calls the developer's. */
const developerMark = { __openai_role__: "developer" };

/**
 * What was said with a message: its text, who said it, and the tools it calls.
 *
 * @throws LociError `INVALID_MESSAGES` for a message that says that another one is to be removed
 */
export function turnOf(message: BaseMessage): TurnInput {
  const turn = {
    role: roleOf(message),
    content: message.text,
    ...(message.name === undefined ? {} : { name: message.name }),
  };
  if (ToolMessage.isInstance(message)) return { ...turn, toolCallId: message.tool_call_id };
  // What a function of OpenAI's first form returned answers no call that has an id.
  if (turn.role === "tool") return turnWithoutCall(turn);
  const toolCalls = AIMessage.isInstance(message) ? callsOf(message) : [];
  return toolCalls.length === 0 ? turn : { ...turn, toolCalls };
}

/** The message that says what a turn says, with the fields that the turn does not have. */
export function messageOf(turn: TurnInput, beyond?: MessageFields): BaseMessage {
  const said = fieldsOfTurn(turn);
  if (beyond === undefined) return messageWith(said);
  return messageWith(beyond.type === said.type ? { ...said, data: { ...said.data, ...beyond.data } } : beyond);
}

/** The fields of a message that its turn does not have; none when the turn says it all. */
export function beyondTurn(turn: TurnInput, message: BaseMessage): MessageFields | undefined {
  const said = fieldsOf(messageOf(turn));
  const { type, data } = fieldsOf(message);
  if (type !== said.type) return { type, data };
  const more = Object.entries(data).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(said.data[name]),
  );
  return more.length === 0 ? undefined : { type, data: Object.fromEntries(more) };
}

function roleOf(message: BaseMessage): MessageRole {
  if (ChatMessage.isInstance(message))
    return namedRoles.has(message.role) ? (message.role as MessageRole) : "assistant";
  if (message.type === "system" && message.additional_kwargs["__openai_role__"] === "developer") return "developer";
  const role = roles.get(message.type);
  if (role !== undefined) return role;
  throw new LociError("INVALID_MESSAGES", {
    message: `A message of the type ${message.type} says nothing that a session could keep.`,
    advice: "Sessions only grow: delete the session with clear(), or begin another one.",
  });
}

/** Calls that have an id, as far as no other call of the message has the same. */
function callsOf({ tool_calls = [], invalid_tool_calls = [] }: AIMessage): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  const add = (id: string | undefined, name: string | undefined, text: string): void => {
    if (id && name && !calls.has(id)) calls.set(id, { id, type: "function", function: { name, arguments: text } });
  };
  for (const { id, name, args } of tool_calls) add(id, name, JSON.stringify(args));
  for (const { id, name, args } of invalid_tool_calls) add(id, name, args ?? "");
  return [...calls.values()];
}

function fieldsOfTurn({ role, content, name, toolCalls = [], toolCallId }: TurnInput): MessageFields {
  const who = name === undefined ? {} : { name };
  switch (role) {
    case "user":
      return { type: "human", data: { content, ...who } };
    case "assistant":
      return { type: "ai", data: { content, ...who, ...understoodCalls(toolCalls) } };
    case "tool":
      return { type: "tool", data: { content, ...who, tool_call_id: toolCallId } };
    case "developer":
      return { type: "system", data: { content, ...who, additional_kwargs: developerMark } };
    case "system":
      return { type: "system", data: { content, ...who } };
  }
}

function understoodCalls(calls: readonly ToolCall[]): object {
  const tool_calls: CalledTool[] = [];
  const invalid_tool_calls: MisunderstoodCall[] = [];
  for (const { id, function: called } of calls) {
    const args = parsedArguments(called.arguments);
    if (args === undefined) invalid_tool_calls.push({ id, name: called.name, args: called.arguments });
    else tool_calls.push({ id, name: called.name, args, type: "tool_call" });
  }
  return { tool_calls, invalid_tool_calls };
}

function parsedArguments(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = parseRedactedJson(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
