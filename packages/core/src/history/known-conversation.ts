import type { ChatMessage } from "@loci/domain";
import { type ConversationBeginning, type ReadBeginning, unreadMessage } from "./conversation-beginning.ts";
import { checkMessages } from "./check-messages.ts";
import { ConversationReading } from "./conversation-reading.ts";
import { frozenMessage, isSameMessage } from "./message-copy.ts";
import { groupStart } from "./message-groups.ts";
import type { Steps } from "../recall/steps.ts";

/** Counters and forms differ from call to call at most a little. */
const maxReadings = 4;
/** What is kept of a message that is not there, in UTF-16 units. */
const unitsPerUnread = 100;
/** What a message takes besides its text, in UTF-16 units: its objects, sums and digests. */
const unitsPerMessage = 300;

/**
 * The messages of a conversation, checked, and what was read of them. It is continued from call to call: a longer
 * conversation costs what is new in it.
 */
export class KnownConversation {
  /** Frozen copies: what the caller does to a message later does not change what is known of it. */
  readonly messages: ChatMessage[] = [];
  /** By position, how many messages of the user there are up to it, and where the latest of them is. */
  readonly #turns: number[] = [];
  readonly #latestOfUser: number[] = [];
  readonly #readings = new Map<string, ConversationReading>();
  /** What it takes, in UTF-16 units. */
  size = 0;
  /** How many messages of its beginning are not there: only what was read of them is, in one reading. */
  readonly unread: number;

  /** @param beginning of messages that are not there. Those behind it are appended */
  constructor(beginning?: ConversationBeginning) {
    this.unread = beginning?.messages.length ?? 0;
    if (beginning === undefined) return;
    for (const { role } of beginning.messages) this.#place(unreadMessage(role));
    this.size = unitsPerUnread * this.unread;
    const reading = new ConversationReading({
      read: beginning,
      messages: [...this.messages],
      turnOf: this.turnOf,
    });
    this.#readings.set(beginning.key, reading);
  }

  /** How many messages of its beginning are the same. */
  sameBeginning(messages: readonly ChatMessage[]): number {
    const known = this.messages;
    const shorter = Math.min(known.length, messages.length);
    for (let same = 0; same < shorter; same++) {
      const message = known[same] as ChatMessage;
      const given = messages[same] as ChatMessage;
      if (message !== given && !isSameMessage(message, given)) return same;
    }
    return shorter;
  }

  /**
   * Becomes the conversation of these messages.
   *
   * @param same how many of its own messages stay, see {@link sameBeginning}
   * @throws LociError `INVALID_MESSAGES`, and then it stays as it was
   */
  continueWith(messages: readonly ChatMessage[], same: number): void {
    checkMessages(messages, groupStart(messages, same));
    this.#cut(same);
    for (let index = same; index < messages.length; index++) this.#add(messages[index] as ChatMessage);
  }

  /**
   * Goes on with these messages. Looks at none of those before, but the call that their results answer.
   *
   * @throws LociError `INVALID_MESSAGES`, by positions from that call on, and then it stays as it was
   */
  append(messages: readonly ChatMessage[]): void {
    let first = this.messages.length;
    if (messages[0]?.role === "tool")
      do first--;
      while (this.messages[first]?.role === "tool");
    checkMessages([...this.messages.slice(Math.max(0, first)), ...messages]);
    for (const message of messages) this.#add(message);
  }

  #add(given: ChatMessage): void {
    const message = frozenMessage(given);
    this.#place(message);
    this.size += sizeOf(message);
  }

  #place(message: ChatMessage): void {
    const index = this.messages.length;
    const isUsers = message.role === "user";
    this.messages.push(message);
    this.#turns.push((this.#turns[index - 1] ?? 0) + (isUsers ? 1 : 0));
    this.#latestOfUser.push(isUsers ? index : (this.#latestOfUser[index - 1] ?? -1));
  }

  /** The position of the user's latest message; -1 when there is none. */
  get latestOfUser(): number {
    return this.#latestOfUser.at(-1) ?? -1;
  }

  /** The number of a message's turn, from 1. A turn begins with a message of the user; what comes before one is the first. */
  readonly turnOf = (index: number): number => Math.max(1, this.#turns[index] ?? 0);

  /** How many of its messages were read. @param key as of {@link reading} */
  readLength(key: string): number {
    return this.#readings.get(key)?.length ?? 0;
  }

  /**
   * What reading its messages came to, so that nobody has to read the beginning again: of so many messages, twice as many and so
   * on. Empty for a conversation that was not read so, see {@link reading}.
   *
   * @param after how many messages the last one had that is known already
   */
  *beginnings(key: string, after: number, length: number): Steps<readonly ReadBeginning[]> {
    const reading = this.#readings.get(key);
    return reading === undefined ? [] : yield* reading.beginnings(after, length);
  }

  /**
   * @param key distinguishes counters and forms, whose results differ
   * @throws Error for another one than that of its beginning, when that is not there
   */
  reading(key: string): ConversationReading {
    if (this.unread > 0 && !this.#readings.has(key))
      throw new Error("The beginning of the conversation was not read so.");
    const reading = this.#readings.get(key) ?? new ConversationReading();
    this.#readings.delete(key);
    this.#readings.set(key, reading);
    for (const oldest of this.#readings.keys()) {
      if (this.#readings.size <= maxReadings) break;
      this.#readings.delete(oldest);
    }
    return reading;
  }

  #cut(length: number): void {
    if (length === this.messages.length) return;
    for (const message of this.messages.splice(length)) this.size -= sizeOf(message);
    this.#turns.length = length;
    this.#latestOfUser.length = length;
    for (const reading of this.#readings.values()) reading.cut(length);
  }
}

function sizeOf(message: ChatMessage): number {
  // Its text is kept a second time as a line.
  return unitsPerMessage + 2 * textLength(message);
}

function textLength({ content, tool_calls: calls = [] }: ChatMessage): number {
  let length = 0;
  if (typeof content === "string") length += content.length;
  else for (const part of content ?? []) length += part.type === "text" ? part.text.length : part.image_url.url.length;
  for (const call of calls) length += call.function.name.length + call.function.arguments.length;
  return length;
}
