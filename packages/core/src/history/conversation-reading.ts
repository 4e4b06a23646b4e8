import type { ChatMessage } from "@loci/domain";
import { DigestRuns } from "./digest-runs.ts";
import { groupMessages, groupStart } from "./message-groups.ts";
import { messageTokens, type ReadMessage } from "./read-message.ts";

/** One message in both forms. */
export interface RenderedMessage {
  /** Its position in the conversation. */
  readonly index: number;
  readonly message: ChatMessage;
  /** The number of its turn, from 1. */
  readonly turn: number;
  /** What it was read as. Equal messages of a conversation that is remembered share one. */
  readonly read: ReadMessage;
}

/** Messages that stay or go together: one alone, or a tool call with its results. */
export interface MessageUnit {
  readonly messages: readonly RenderedMessage[];
  /** What it takes in the dearer of its two forms. */
  readonly tokens: number;
  /** What the units before it take together. */
  readonly tokensBefore: number;
  /** The position of the user's latest unit, up to this one; -1 when there is none. */
  readonly latestOfUser: number;
}

/** Reads the message at a position. */
export type ReadAt = (message: ChatMessage, turn: number) => ReadMessage;

/**
 * A conversation as one counter and one form read it. It grows with the conversation: what was read stays, with the sums
 * that a beginning of it takes.
 */
export class ConversationReading {
  /** Oldest first. */
  readonly units: MessageUnit[] = [];
  /** Messages that say nothing, oldest first. They are of no unit. */
  readonly empty: RenderedMessage[] = [];
  readonly digests: DigestRuns = new DigestRuns(this.units);
  #length = 0;

  /** How many messages were read. */
  get length(): number {
    return this.#length;
  }

  /** Reads on, up to the end of the messages. */
  extend(messages: readonly ChatMessage[], turnOf: (index: number) => number, read: ReadAt): void {
    if (this.#length >= messages.length) return;
    const from = groupStart(messages, this.#length);
    this.cut(from);
    for (const { first, end } of groupMessages(messages, from)) {
      const group: RenderedMessage[] = [];
      for (let index = first; index < end; index++) {
        const message = messages[index] as ChatMessage;
        const turn = turnOf(index);
        group.push({ index, message, turn, read: read(message, turn) });
      }
      this.#add(group);
    }
    this.#length = messages.length;
  }

  /** Forgets the messages from this position on, and those they belong together with. */
  cut(length: number): void {
    if (length >= this.#length) return;
    while (endOf(this.units.at(-1)) > length) this.units.pop();
    while ((this.empty.at(-1)?.index ?? -1) >= length) this.empty.pop();
    this.digests.cut(this.units.length);
    this.#length = Math.max(endOf(this.units.at(-1)), (this.empty.at(-1)?.index ?? -1) + 1);
  }

  #add(group: readonly RenderedMessage[]): void {
    const [first] = group;
    if (first === undefined) return;
    if (group.length === 1 && first.read.line === "" && first.message.role !== "tool") {
      this.empty.push(first);
      return;
    }
    let tokens = 0;
    for (const { read } of group) tokens += messageTokens(read);
    const before = this.units.at(-1);
    this.units.push({
      messages: group,
      tokens,
      tokensBefore: before === undefined ? 0 : before.tokensBefore + before.tokens,
      latestOfUser: first.message.role === "user" ? this.units.length : (before?.latestOfUser ?? -1),
    });
  }
}

/** Behind its last message. 0 for no unit. */
function endOf(unit: MessageUnit | undefined): number {
  return (unit?.messages.at(-1)?.index ?? -1) + 1;
}
