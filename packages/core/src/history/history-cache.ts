import type { ChatMessage } from "@loci/domain";
import type { MessageFacts } from "./message-facts.ts";
import { factsOf } from "./message-facts.ts";
import { addToDigest, emptyDigest, type SummaryDigest } from "./summary-digest.ts";

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

export interface HistoryCacheOptions {
  /** How much text of messages is kept, in UTF-16 units: between this and half of it. Default 8,000,000. */
  readonly maxLength?: number | undefined;
}

/** By form and role, then by what a message says. */
type Generation = Map<string, Map<string, Map<string, ReadMessage>>>;

/** How many conversations have their digests kept. */
const maxConversations = 200;

/**
 * Remembers what was read of conversations from one assembly to the next, so that a turn costs no more than what is new in
 * it. Goes by what a message says, not by its id: an edited message may come with the id it had before.
 */
export class HistoryCache {
  readonly #maxLength: number;
  // Two generations: what is not asked for while one fills up is forgotten with the other.
  #young: Generation = new Map();
  #old: Generation = new Map();
  #length = 0;
  readonly #digests = new Map<ReadMessage, DigestTrail>();

  constructor(options: HistoryCacheOptions = {}) {
    this.#maxLength = options.maxLength ?? 8_000_000;
  }

  /** @param form distinguishes counters and line forms, whose results differ */
  read(message: ChatMessage, form: string, read: () => Omit<ReadMessage, "facts">): ReadMessage {
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

  /** The digest of these messages. Only those behind the longest beginning that is known are looked into. */
  digest(messages: readonly ReadMessage[]): SummaryDigest {
    const [first] = messages;
    if (first === undefined) return emptyDigest;
    const trail = this.#digests.get(first) ?? new DigestTrail();
    this.#digests.delete(first);
    this.#digests.set(first, trail);
    for (const oldest of this.#digests.keys()) {
      if (this.#digests.size <= maxConversations) break;
      this.#digests.delete(oldest);
    }
    return trail.digest(messages);
  }

  #remember(form: string, group: string, key: string, entry: ReadMessage): void {
    const groups = this.#young.get(form) ?? new Map<string, Map<string, ReadMessage>>();
    const members = groups.get(group) ?? new Map<string, ReadMessage>();
    members.set(key, entry);
    groups.set(group, members);
    this.#young.set(form, groups);
    this.#length += key.length;
    if (this.#length <= this.#maxLength / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#length = 0;
  }
}

/** A message that is read for one assembly only. */
export function readMessage(message: ChatMessage, rendered: Omit<ReadMessage, "facts">): ReadMessage {
  let facts: MessageFacts | undefined;
  return {
    ...rendered,
    get facts(): MessageFacts {
      return (facts ??= factsOf(message));
    },
  };
}

/** The digests of one conversation's beginnings. */
export class DigestTrail {
  readonly #messages: ReadMessage[] = [];
  /** At each position the digest of what comes before it. Those that are equal are one object. */
  readonly #digests: SummaryDigest[] = [emptyDigest];

  digest(messages: readonly ReadMessage[]): SummaryDigest {
    const known = this.#messages;
    const shorter = Math.min(known.length, messages.length);
    let same = 0;
    while (same < shorter && known[same] === messages[same]) same++;
    if (same < shorter) {
      known.length = same;
      this.#digests.length = same + 1;
    }
    for (let index = known.length; index < messages.length; index++) {
      const message = messages[index] as ReadMessage;
      known.push(message);
      this.#digests.push(addToDigest(this.#digests[index] as SummaryDigest, message.facts));
    }
    return this.#digests[messages.length] as SummaryDigest;
  }
}
