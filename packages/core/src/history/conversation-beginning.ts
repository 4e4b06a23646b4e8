import type { ChatMessage } from "@loci/domain";
import type { ReadMessage } from "./read-message.ts";
import type { SummaryDigest } from "./summary-digest.ts";

/**
 * Names the way in which conversations are read. Goes up whenever the same messages are measured otherwise, or say something else in a
 * digest: what was kept of them before then is not used any more.
 */
export const readingVersion = 4;

/** What of a message is known without the message. */
export interface OutlinedMessage {
  readonly role: ChatMessage["role"];
  /** It says nothing. */
  readonly isEmpty: boolean;
  /** What it takes in the dearer of its forms. */
  readonly tokens: number;
  /** What it takes at least, if it is shown. Default `tokens`. */
  readonly leastTokens?: number | undefined;
}

/** The messages that a conversation begins with, as they were read once by one counter and in one form. */
export interface ConversationBeginning {
  /** The reading it is of, see `KnownConversation.reading`. */
  readonly key: string;
  readonly messages: readonly OutlinedMessage[];
  /** What a summary may say of all of them. */
  readonly digest: SummaryDigest;
}

/** A beginning that ends where no call waits for its results, and what came since the one before it. */
export interface ReadBeginning {
  /** How many messages it has. */
  readonly through: number;
  /** Of the messages since the one before. */
  readonly outline: string;
  /** A digest of all of them, as JSON. */
  readonly state: string;
}

const letters: Readonly<Record<ChatMessage["role"], string>> = {
  system: "s",
  developer: "d",
  user: "u",
  assistant: "a",
  tool: "t",
};
const roles: ReadonlyMap<string, ChatMessage["role"]> = new Map(
  Object.entries(letters).map(([role, letter]) => [letter, role as ChatMessage["role"]]),
);
/** Of a number. */
const radix = 36;
const entry = /^([sduat])(!?)([0-9a-z]{1,8})(?:>([0-9a-z]{1,8}))?$/u;

/** One word a message: the letter of its role, `!` if it says nothing, its tokens, `>` and what it takes at least where that is less. */
export function outlineOf(messages: readonly OutlinedMessage[]): string {
  return messages
    .map(({ role, isEmpty, tokens, leastTokens = tokens }) => {
      const least = leastTokens === tokens ? "" : `>${leastTokens.toString(radix)}`;
      return `${letters[role]}${isEmpty ? "!" : ""}${tokens.toString(radix)}${least}`;
    })
    .join(" ");
}

/** What {@link outlineOf} wrote; `undefined` for anything else. */
export function readOutline(outline: string): readonly OutlinedMessage[] | undefined {
  const messages: OutlinedMessage[] = [];
  for (const word of outline.split(" ")) {
    const [, letter = "", mark, tokens = "", least] = entry.exec(word) ?? [];
    const role = roles.get(letter);
    if (role === undefined) return undefined;
    const leastTokens = least === undefined ? {} : { leastTokens: Number.parseInt(least, radix) };
    messages.push({ role, isEmpty: mark === "!", tokens: Number.parseInt(tokens, radix), ...leastTokens });
  }
  return messages;
}

/** The digest of a state; `undefined` for anything else. */
export function readDigest(state: string): SummaryDigest | undefined {
  let digest: Partial<Record<keyof SummaryDigest, unknown>> | null;
  try {
    digest = JSON.parse(state) as typeof digest;
  } catch {
    return undefined;
  }
  if (typeof digest !== "object" || digest === null) return undefined;
  const { firstRequest, latestRequest, offer, progress, decisions, openPoints, tools, files, unanswered } = digest;
  const areTexts = [firstRequest, latestRequest, offer, progress].every((text) => typeof text === "string");
  const areLists = [decisions, openPoints, tools, files].every((list) => Array.isArray(list));
  if (!areTexts || !areLists) return undefined;
  return { ...(digest as unknown as SummaryDigest), unanswered: unanswered as SummaryDigest["unanswered"] };
}

/** Stands for a message that is not there. */
export function unreadMessage(role: ChatMessage["role"]): ChatMessage {
  return unreadMessages[role];
}

const unreadMessages = Object.fromEntries(
  Object.keys(letters).map((role) => [role, Object.freeze({ role, content: "" })]),
) as unknown as Readonly<Record<ChatMessage["role"], ChatMessage>>;

/** What is read of a message that is not there. Of an empty one nothing else is ever asked for. */
export const unread: ReadMessage = {
  textTokens: 0,
  chatTokens: 0,
  get line(): string {
    throw new Error("A message was to be shown that was not read.");
  },
  get shortened(): ReadMessage["shortened"] {
    throw new Error("A message was to be shortened that was not read.");
  },
  get facts(): ReadMessage["facts"] {
    throw new Error("A message was to be summarised that was not read.");
  },
};
