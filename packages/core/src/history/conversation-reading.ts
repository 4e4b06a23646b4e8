import type { ChatMessage } from "@loci/domain";
import {
  type ConversationBeginning,
  type OutlinedMessage,
  outlineOf,
  type ReadBeginning,
  unread,
} from "./conversation-beginning.ts";
import { DigestRuns } from "./digest-runs.ts";
import { groupMessages, groupStart } from "./message-groups.ts";
import { leastMessageTokens, messageTokens, type ReadMessage } from "./read-message.ts";
import type { Steps } from "../recall/steps.ts";

/** One message in both forms. */
export interface RenderedMessage {
  /** Its position in the conversation. */
  readonly index: number;
  readonly message: ChatMessage;
  /** The number of its turn, from 1. */
  readonly turn: number;
  /** What it was read as. Equal messages of a conversation that is remembered share one. */
  readonly read: ReadMessage;
  /** What it takes whole, where this is a message that was shortened. */
  readonly wholeTokens?: number | undefined;
}

/** Messages that stay or go together: one alone, or a tool call with its results. */
export interface MessageUnit {
  readonly messages: readonly RenderedMessage[];
  /** What it takes in the dearer of its two forms. */
  readonly tokens: number;
  /** What it takes where its long texts are shortened as far as they may be. The same as `tokens` where it has none. */
  readonly leastTokens: number;
  /** What the units before it take together. */
  readonly tokensBefore: number;
  /** What those take together where their long texts are shortened as far as they may be. */
  readonly leastTokensBefore: number;
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
  readonly digests: DigestRuns;
  #length = 0;

  /**
   * @param messages what stands for those of the beginning
   * @param turnOf the number of the turn of each
   */
  constructor(beginning?: {
    readonly read: ConversationBeginning;
    readonly messages: readonly ChatMessage[];
    readonly turnOf: (index: number) => number;
  }) {
    if (beginning === undefined) {
      this.digests = new DigestRuns(this.units);
      return;
    }
    const { read, messages, turnOf } = beginning;
    for (const { first, end } of groupMessages(messages)) {
      const group: RenderedMessage[] = [];
      let tokens = 0;
      let leastTokens = 0;
      for (let index = first; index < end; index++) {
        group.push({ index, message: messages[index] as ChatMessage, turn: turnOf(index), read: unread });
        const outline = read.messages[index];
        tokens += outline?.tokens ?? 0;
        leastTokens += outline?.leastTokens ?? outline?.tokens ?? 0;
      }
      if (read.messages[first]?.isEmpty === true) this.empty.push(...group);
      else this.#push(group, tokens, leastTokens);
    }
    this.#length = messages.length;
    this.digests = new DigestRuns(this.units, { units: this.units.length, digest: read.digest });
  }

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

  /**
   * The beginnings of so many messages, twice as many and so on, each up to where a unit begins, which end at least as many messages
   * before the end.
   *
   * @param after how many messages the last one had that is known already
   */
  *beginnings(after: number, length: number): Steps<readonly ReadBeginning[]> {
    const found: ReadBeginning[] = [];
    let known = after;
    let nextEmpty = this.empty.findIndex(({ index }) => index >= after);
    if (nextEmpty < 0) nextEmpty = this.empty.length;
    let since: OutlinedMessage[] = [];
    for (let place = unitFrom(this.units, after); place < this.units.length; place++) {
      const { messages } = this.units[place] as MessageUnit;
      const start = messages[0]?.index ?? 0;
      for (; (this.empty[nextEmpty]?.index ?? Infinity) < start; nextEmpty++) {
        since.push(outlined(this.empty[nextEmpty] as RenderedMessage, true));
      }
      if (start > known && Math.floor(start / length) > Math.floor(known / length)) {
        if (start + length > this.#length) break;
        const digest = this.digests.digest({ fromMessage: 0, without: [], end: place });
        found.push({
          through: start,
          outline: outlineOf(since),
          state: JSON.stringify(digest),
        });
        known = start;
        since = [];
      }
      since.push(...messages.map((message) => outlined(message, false)));
      for (const { read } of messages) {
        void read.facts;
        yield;
      }
    }
    return found;
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
    let leastTokens = 0;
    for (const { read } of group) {
      tokens += messageTokens(read);
      leastTokens += leastMessageTokens(read);
    }
    this.#push(group, tokens, leastTokens);
  }

  #push(group: readonly RenderedMessage[], tokens: number, leastTokens: number): void {
    const before = this.units.at(-1);
    this.units.push({
      messages: group,
      tokens,
      leastTokens,
      tokensBefore: before === undefined ? 0 : before.tokensBefore + before.tokens,
      leastTokensBefore: before === undefined ? 0 : before.leastTokensBefore + before.leastTokens,
      latestOfUser: group[0]?.message.role === "user" ? this.units.length : (before?.latestOfUser ?? -1),
    });
  }
}

function outlined({ message, read }: RenderedMessage, isEmpty: boolean): OutlinedMessage {
  return { role: message.role, isEmpty, tokens: messageTokens(read), leastTokens: leastMessageTokens(read) };
}

/** Behind its last message. 0 for no unit. */
function endOf(unit: MessageUnit | undefined): number {
  return (unit?.messages.at(-1)?.index ?? -1) + 1;
}

/** The position of the first unit that holds this message or one behind it. */
export function unitFrom(units: readonly MessageUnit[], message: number): number {
  let low = 0;
  let high = units.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (((units[middle] as MessageUnit).messages.at(-1) as RenderedMessage).index < message) low = middle + 1;
    else high = middle;
  }
  return low;
}
