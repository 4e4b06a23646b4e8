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
  /** Where texts in it are long, what is shown of it where there is no room for all. Takes less. */
  readonly shortened?: ShortenedForms | undefined;
}

/** A message whose long texts are shortened, by how much of them is shown. */
export interface ShortenedForms {
  readonly least: ShortenedMessage;
  /** With more of them, see `shownEnds`: measured when first asked for. `undefined` where that is no less than all. */
  readonly larger: Map<number, ShortenedMessage | undefined>;
}

/** What is shown of a message instead of all of it. */
export interface ShortenedMessage {
  readonly message: ChatMessage;
  readonly read: ReadMessage;
}

/** What is measured of a message at once; its facts wait until they are asked for. */
export type MeasuredMessage = Omit<ReadMessage, "facts">;

export function readMessage(
  message: ChatMessage,
  { line, textTokens, chatTokens, shortened }: MeasuredMessage,
): ReadMessage {
  let facts: MessageFacts | undefined;
  return {
    line,
    textTokens,
    chatTokens,
    shortened,
    get facts(): MessageFacts {
      return (facts ??= factsOf(message));
    },
  };
}

/** What a message takes in the dearer of its two forms. */
export function messageTokens({ textTokens, chatTokens }: MeasuredMessage): number {
  return Math.max(textTokens, chatTokens);
}

/** What it takes at least, if it is shown. */
export function leastMessageTokens(read: ReadMessage): number {
  const { shortened } = read;
  return messageTokens(shortened === undefined ? read : shortened.least.read);
}
