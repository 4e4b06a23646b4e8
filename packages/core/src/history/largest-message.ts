import { type ChatMessage, shownText } from "@loci/domain";

/** A message with what it takes. */
export interface SizedMessage {
  /** Its position among the messages, from 0. */
  readonly index: number;
  readonly message: ChatMessage;
  readonly tokens: number;
  /** For a tool's result, the name of the tool. Looked for in all calls before it, and so asked of the largest message alone. */
  readonly tool?: (() => string | undefined) | undefined;
}

/** What an error says of the message that takes most of what does not fit, for people and for programs. */
export interface LargestMessage {
  /** A sentence: where it is, what it is, what it takes. */
  readonly sentence: string;
  /** What to make shorter, as the beginning of an advice. */
  readonly shorten: string;
  /** `message`, its position from 0, `role`, `messageTokens` and, for a tool's result, `tool`. */
  readonly details: Readonly<Record<string, string>>;
}

/** Describes the largest of some messages; `undefined` of none. */
export function describeLargest(messages: Iterable<SizedMessage>): LargestMessage | undefined {
  let largest: SizedMessage | undefined;
  for (const one of messages) if (largest === undefined || one.tokens > largest.tokens) largest = one;
  if (largest === undefined) return undefined;
  const { index, message, tokens } = largest;
  const { role } = message;
  const tool = largest.tool?.();
  const name = tool === undefined ? "" : ` ${shownText(tool, 60)}`;
  const what = role === "tool" ? `a result of the tool${name}` : `a message of the role ${role}`;
  return {
    sentence: `The largest is messages[${index}], ${what}: ${tokens} tokens.`,
    shorten:
      role === "tool"
        ? `Shorten what the tool${name} gives before it becomes a message, such as to its first lines`
        : `Shorten messages[${index}]`,
    details: {
      message: String(index),
      role,
      messageTokens: String(tokens),
      ...(tool === undefined ? {} : { tool }),
    },
  };
}

/** The name of the tool whose result a message is, from the call before it. */
export function toolOfResult(messages: readonly ChatMessage[], index: number): string | undefined {
  const id = messages[index]?.tool_call_id;
  if (messages[index]?.role !== "tool" || id === undefined) return undefined;
  let call = index;
  while (messages[call]?.role === "tool") call--;
  return messages[call]?.tool_calls?.find((one) => one.id === id)?.function.name;
}
