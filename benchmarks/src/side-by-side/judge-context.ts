import type { ChatMessage } from "@loci/domain";
import type { StepOutcome } from "./context-step.ts";
import { textOf } from "./message-content.ts";
import { judgedTokens } from "./model-tokens.ts";

/** What is asked of a context, whoever made it. */
export interface Judgement {
  /** The system prompt stands in a system message, word for word. */
  readonly keepsSystem: boolean;
  /** The user's latest message stands in a message of the user, word for word. */
  readonly keepsLatestUser: boolean;
  /** Every result stands right behind its call, and every call that was answered has its results. */
  readonly keepsPairs: boolean;
  readonly isWithinBudget: boolean;
  /** By the model's own tokenizer, with framing. */
  readonly tokens: number;
  /** Of the messages given, how many stand in it as they were. */
  readonly keptMessages: number;
  /** Instead of all that: why there are no messages. */
  readonly refusal?: string;
}

export function judgeContext(given: readonly ChatMessage[], outcome: StepOutcome, maxTokens: number): Judgement {
  if ("refusal" in outcome) {
    const nothing = { keepsSystem: false, keepsLatestUser: false, keepsPairs: false, isWithinBudget: false };
    return { ...nothing, tokens: 0, keptMessages: 0, refusal: outcome.refusal };
  }
  const { messages } = outcome;
  const tokens = judgedTokens(messages);
  const system = textOf(given[0] ?? {});
  const latest = given.findLast(({ role }) => role === "user");
  const kept = new Set(messages.map(keyOf));
  return {
    keepsSystem: messages.some((message) => message.role === "system" && textOf(message).includes(system)),
    keepsLatestUser: messages.some(({ role, ...rest }) => role === "user" && textOf(rest) === textOf(latest ?? {})),
    keepsPairs: arePairsWhole(given, messages),
    isWithinBudget: tokens <= maxTokens,
    tokens,
    keptMessages: given.filter((message) => kept.has(keyOf(message))).length,
  };
}

function arePairsWhole(given: readonly ChatMessage[], messages: readonly ChatMessage[]): boolean {
  const answered = new Set(given.map(({ tool_call_id: id }) => id));
  let open = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: id = "" } of messages) {
    if (role === "tool") {
      if (!open.delete(id)) return false;
      continue;
    }
    if (open.size > 0) return false;
    open = new Set(calls.map((call) => call.id).filter((call) => answered.has(call)));
  }
  return open.size === 0;
}

function keyOf({ role, content, tool_calls: calls, tool_call_id: answered }: ChatMessage): string {
  return JSON.stringify([role, textOf({ content }), calls?.map(({ id }) => id), answered]);
}
