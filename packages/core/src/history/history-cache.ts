import { type ChatMessage, isPlainObject } from "@loci/domain";
import { KnownConversation } from "./known-conversation.ts";
import { type MeasuredMessage, readMessage, type ReadMessage } from "./read-message.ts";

export interface HistoryCacheOptions {
  /**
   * What is kept of conversations, in UTF-16 units: of each message its text twice and 300 more. The longest unused go
   * first. Default 32,000,000, which are two hundred conversations of 200 messages of 250 characters.
   */
  readonly maxLength?: number | undefined;
}

/** By form and role, then by what a message says. */
type Generation = Map<string, Map<string, Map<string, ReadMessage>>>;

/** Conversations may begin with the same words; so many of them are told apart. */
const maxAlike = 64;
/** Among so many messages the user's first words are looked for. */
const keyedMessages = 4;
/** Single messages have this much of the room, besides the conversations they stand in. */
const shareOfMessages = 1 / 4;

/**
 * Remembers what was read of conversations from one assembly to the next, so that a turn costs no more than what is new in
 * it. Goes by what messages say, in their order, not by their ids: an edited message may come with the id it had before.
 */
export class HistoryCache {
  readonly #maxLength: number;
  /** With what they are looked up by, the longest unused first. */
  readonly #conversations = new Map<KnownConversation, string>();
  readonly #alike = new Map<string, KnownConversation[]>();
  #size = 0;
  // Two generations of messages: what is not asked for while one fills up is forgotten with the other.
  #young: Generation = new Map();
  #old: Generation = new Map();
  #length = 0;

  constructor(options: HistoryCacheOptions = {}) {
    this.#maxLength = options.maxLength ?? 32_000_000;
  }

  /**
   * The longest beginning of these messages that was seen before, as it was then: checked, and frozen.
   *
   * @param messages may be anything
   */
  beginningOf(messages: readonly ChatMessage[]): readonly ChatMessage[] {
    const { known, same } = this.#longest(messages);
    return known === undefined ? [] : known.messages.slice(0, same);
  }

  /**
   * How many messages of the beginning were read before.
   *
   * @param key of the reading, see {@link KnownConversation.reading}
   */
  readLength(messages: readonly ChatMessage[], key: string): number {
    const { known, same } = this.#longest(messages);
    return Math.min(same, known?.readLength(key) ?? 0);
  }

  /**
   * The conversation of these messages. What was known of its beginning still is.
   *
   * @throws LociError `INVALID_MESSAGES`
   */
  recognise(messages: readonly ChatMessage[]): KnownConversation {
    const { known, same } = this.#longest(messages);
    // Where more of it would be lost than stays, it is another one that begins alike.
    const isContinued = known !== undefined && known.messages.length - same <= same;
    const conversation = isContinued ? known : new KnownConversation();
    const sizeBefore = isContinued ? known.size : 0;
    conversation.continueWith(messages, isContinued ? same : 0);
    if (messages.length === 0) return conversation;
    const key = isContinued ? this.#conversations.get(conversation) : this.#add(conversation);
    this.#conversations.delete(conversation);
    this.#conversations.set(conversation, key ?? "");
    this.#size += conversation.size - sizeBefore;
    // Too large to be kept at all, it takes nothing else with it.
    if (conversation.size > this.#maxLength) this.#forget(conversation);
    this.#forgetUnused();
    return conversation;
  }

  /** @param form distinguishes counters and line forms, whose results differ */
  read(message: ChatMessage, form: string, read: () => MeasuredMessage): ReadMessage {
    const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
    const isPlain = typeof content === "string" && name === undefined && calls === undefined && answered === undefined;
    // The text itself is the key: making one would take longer than to look it up.
    const group = isPlain ? role : "other";
    const key = isPlain ? content : JSON.stringify([role, name, answered, calls, content]);
    const known = this.#young.get(form)?.get(group)?.get(key);
    if (known !== undefined) return known;
    const entry = this.#old.get(form)?.get(group)?.get(key) ?? readMessage(message, read());
    this.#remember(form, group, key, entry);
    return entry;
  }

  #longest(messages: readonly ChatMessage[]): { readonly known?: KnownConversation; readonly same: number } {
    let known: KnownConversation | undefined;
    let same = 0;
    for (const conversation of this.#alike.get(beginningKey(messages)) ?? []) {
      const length = conversation.sameBeginning(messages);
      if (length <= same) continue;
      known = conversation;
      same = length;
    }
    return known === undefined ? { same } : { known, same };
  }

  /** Returns what it is looked up by from now on. */
  #add(conversation: KnownConversation): string {
    const key = beginningKey(conversation.messages);
    if (this.#alike.get(key)?.length === maxAlike)
      for (const [unused, itsKey] of this.#conversations)
        if (itsKey === key) {
          this.#forget(unused);
          break;
        }
    this.#alike.set(key, [...(this.#alike.get(key) ?? []), conversation]);
    return key;
  }

  #forgetUnused(): void {
    for (const conversation of this.#conversations.keys()) {
      if (this.#size <= this.#maxLength) return;
      this.#forget(conversation);
    }
  }

  #forget(conversation: KnownConversation): void {
    const key = this.#conversations.get(conversation) ?? "";
    const alike = (this.#alike.get(key) ?? []).filter((other) => other !== conversation);
    if (alike.length > 0) this.#alike.set(key, alike);
    else this.#alike.delete(key);
    this.#conversations.delete(conversation);
    this.#size -= conversation.size;
  }

  #remember(form: string, group: string, key: string, entry: ReadMessage): void {
    const groups = this.#young.get(form) ?? new Map<string, Map<string, ReadMessage>>();
    const members = groups.get(group) ?? new Map<string, ReadMessage>();
    members.set(key, entry);
    groups.set(group, members);
    this.#young.set(form, groups);
    this.#length += key.length;
    if (this.#length <= (this.#maxLength * shareOfMessages) / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#length = 0;
  }
}

/**
 * What conversations are looked up by: the user's first words, for many begin with the same system prompt. Only the
 * beginning is looked at, so that it is the same for a conversation however long it is by then.
 */
function beginningKey(messages: readonly ChatMessage[]): string {
  if (!Array.isArray(messages)) return "";
  const beginning = (messages as readonly (ChatMessage | null | undefined)[]).slice(0, keyedMessages);
  const content: unknown = (beginning.find((message) => message?.role === "user") ?? beginning[0])?.content;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [];
  const text = parts.find((part) => isPlainObject(part) && typeof part["text"] === "string");
  return isPlainObject(text) ? String(text["text"]) : "";
}
