import type { ChatMessage } from "@loci/domain";
import { factsOf, type MessageFacts } from "./facts/facts-of.ts";

/** A message as it was read once: equal messages share one. */
export interface ReadMessage {
  /** `[role]: content` and a line break. Empty for a message that says nothing. */
  readonly line: string;
  readonly textTokens: number;
  /** Tokens as a chat message. */
  readonly chatTokens: number;
  /** What a summary may say of it. Read when first asked for. */
  readonly facts: MessageFacts;
}

/** What is measured of a message at once; its facts wait until they are asked for. */
export type MeasuredMessage = Omit<ReadMessage, "facts">;

export function readMessage(message: ChatMessage, { line, textTokens, chatTokens }: MeasuredMessage): ReadMessage {
  let facts: MessageFacts | undefined;
  return {
    line,
    textTokens,
    chatTokens,
    get facts(): MessageFacts {
      return (facts ??= factsOf(message));
    },
  };
}

/** What a message takes in the dearer of its two forms. */
export function messageTokens({ textTokens, chatTokens }: MeasuredMessage): number {
  return Math.max(textTokens, chatTokens);
}
