import { type ChatMessage, LociError, type TrimmedMessages } from "@loci/domain";
import { checkMessages } from "../history/check-messages.ts";
import { describeLargest, type SizedMessage, toolOfResult } from "../history/largest-message.ts";
import { groupMessages, type MessageGroup } from "../history/message-groups.ts";
import { callOverheadTokens, chatMessageTokens, type FramingOptions } from "../tokens/message-framing.ts";
import { checkTokenAmount } from "./token-amount.ts";

const lastMessagesKept = 3;

/**
 * Drops the oldest messages until the rest fits, counted with framing and tools.
 *
 * What stays: the system prompt (the system and developer messages at the beginning), the latest message of the user, the
 * last three messages. A tool call and its results stay or go together. The order is kept. A larger maximum never drops
 * what a smaller one kept.
 *
 * @throws LociError `INVALID_MESSAGES` (an orphan tool result, an unknown role, …), `INVALID_BUDGET`;
 *   `KEPT_MESSAGES_TOO_LARGE` when what has to stay does not fit
 */
export function trimMessages(
  messages: readonly ChatMessage[],
  maxTokens: number,
  options: FramingOptions,
): TrimmedMessages {
  checkTokenAmount(maxTokens, "maxTokens");
  checkMessages(messages);
  const sizes = messages.map((message) => chatMessageTokens(message, options.count, options.provider));
  const overhead = callOverheadTokens(options);
  let tokens = overhead;
  for (const size of sizes) tokens += size;
  const dropped: number[] = [];
  for (const { first, end } of droppableGroups(messages)) {
    if (tokens <= maxTokens) break;
    for (let index = first; index < end; index++) {
      tokens -= sizes[index] as number;
      dropped.push(index);
    }
  }
  const gone = new Set(dropped);
  if (tokens > maxTokens) {
    const kept = messages.flatMap((message, index) =>
      gone.has(index)
        ? []
        : [{ index, message, tokens: sizes[index] as number, tool: () => toolOfResult(messages, index) }],
    );
    throw keptTooLarge({ needed: tokens, budget: maxTokens, overhead, kept });
  }
  if (dropped.length === 0) return { messages, tokens, dropped };
  return { messages: messages.filter((_, index) => !gone.has(index)), tokens, dropped };
}

/** How many messages at the beginning are the system prompt. */
export function systemPromptLength(messages: readonly ChatMessage[]): number {
  const end = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
  return end === -1 ? messages.length : end;
}

/** Oldest first. */
function droppableGroups(messages: readonly ChatMessage[]): readonly MessageGroup[] {
  const promptEnd = systemPromptLength(messages);
  const latestOfUser = messages.findLastIndex(({ role }) => role === "user");
  const firstOfLast = messages.length - lastMessagesKept;
  return groupMessages(messages, promptEnd).filter(
    ({ first, end }) => end <= firstOfLast && !(first <= latestOfUser && latestOfUser < end),
  );
}

interface TooLarge {
  readonly needed: number;
  readonly budget: number;
  /** Of `needed`, what the call takes besides its messages, most of all its tools. */
  readonly overhead: number;
  readonly kept: readonly SizedMessage[];
}

function keptTooLarge({ needed, budget, overhead, kept }: TooLarge): LociError {
  const largest = describeLargest(kept);
  const areToolsLarger = kept.every(({ tokens }) => tokens < overhead);
  const sentence = areToolsLarger
    ? `The tools and the framing of the call take ${overhead} of them.`
    : (largest?.sentence ?? "");
  const shorten = areToolsLarger ? "Offer fewer tools, or describe them in fewer words" : largest?.shorten;
  return new LociError("KEPT_MESSAGES_TOO_LARGE", {
    message: `The system prompt, the latest message of the user and the last ${lastMessagesKept} messages, ${kept.length} in all, take ${needed} tokens with their framing, but there are ${budget}. ${sentence}`,
    field: "messages",
    advice: `${shorten}, raise the budget, or use a model with a larger window.`,
    details: {
      neededTokens: String(needed),
      budgetTokens: String(budget),
      ...(areToolsLarger ? {} : largest?.details),
    },
  });
}
