import type { ChatMessage } from "@loci/domain";
import type { ContextFormat } from "../rendering/context-format.ts";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import type { ModelProvider } from "../tokens/resolved-model.ts";
import {
  type ConversationReading,
  type MessageUnit,
  type ReadAt,
  type RenderedMessage,
  unitFrom,
} from "./conversation-reading.ts";
import type { HistoryCache } from "./history-cache.ts";
import { KnownConversation } from "./known-conversation.ts";
import { lineLabel, type MessageForm } from "./message-form.ts";
import { hasImage, messageText } from "./message-text.ts";
import {
  type MeasuredMessage,
  messageTokens,
  readMessage,
  type ReadMessage,
  type ShortenedForms,
  type ShortenedMessage,
} from "./read-message.ts";
import { leastEnds, shortenedMessage } from "./shortened-message.ts";
import type { Steps } from "../recall/steps.ts";
import type { SummaryDigest } from "./summary-digest.ts";

/** How a conversation is read. */
export interface ConversationOptions {
  readonly count: (text: string) => number;
  readonly format: Pick<ContextFormat, "escapeText">;
  /** Default `roles`. */
  readonly form?: MessageForm | undefined;
  /** Whose rule images are counted by. Default `openai`. */
  readonly provider?: ModelProvider | undefined;
  /** What is known of a conversation that begins with these messages. Longer than they are, it is not used. Default none. */
  readonly known?: KnownConversation | undefined;
  /** What was read before. */
  readonly cache?: HistoryCache | undefined;
  /** Names counter and format, whose results the cache keeps apart. */
  readonly cacheKey?: string | undefined;
}

/**
 * A conversation, ready to be shortened. Its units go by position, oldest first; the user's latest message is none of them
 * when it is the query, which is rendered elsewhere.
 *
 * Valid until the next conversation is read with the same cache.
 */
export class Conversation {
  /** Messages that say nothing, oldest first. */
  readonly empty: readonly RenderedMessage[];
  /** The latest message of the user, when it is the query. */
  readonly repeatsQuery: RenderedMessage | undefined;
  /** How many units there are. */
  readonly length: number;
  /** Positions of the units that hold the newest message and the latest of the user: none, one or two, in order. */
  readonly mustStay: readonly number[];
  readonly #reading: ConversationReading;
  /** The position of the query among all units. */
  readonly #left: number;
  readonly #read: ReadAt;

  /**
   * @param read how its messages are read
   * @param query the position of the message that is the query
   */
  constructor(reading: ConversationReading, read: ReadAt, query?: number) {
    const { units, empty } = reading;
    this.#reading = reading;
    this.#read = read;
    const queryUnit = query === undefined ? units.length : unitFrom(units, query);
    const inUnit = units[queryUnit]?.messages.find(({ index }) => index === query);
    this.#left = inUnit === undefined ? Infinity : queryUnit;
    this.repeatsQuery = inUnit ?? empty.find(({ index }) => index === query);
    this.empty = this.repeatsQuery === undefined ? empty : empty.filter((message) => message !== this.repeatsQuery);
    this.length = inUnit === undefined ? units.length : units.length - 1;
    const newest = this.length - 1;
    const latestOfUser = this.#latestOfUser();
    this.mustStay = [latestOfUser, newest].filter(
      (position, index) => position >= 0 && (index === 1 || position < newest),
    );
  }

  /** The position of the first unit behind the latest one of the user. */
  get answersFrom(): number {
    return this.#latestOfUser() + 1;
  }

  unit(position: number): MessageUnit {
    return this.#reading.units[this.#among(position)] as MessageUnit;
  }

  /**
   * A unit whose long texts are shortened.
   *
   * @param ends how much of them is shown at each end, one of `shownEnds`
   */
  shortened(position: number, ends: number): MessageUnit {
    const unit = this.unit(position);
    const messages = unit.messages.map((message) => this.#shortened(message, ends));
    let tokens = 0;
    for (const { read } of messages) tokens += messageTokens(read);
    return { ...unit, tokens, messages };
  }

  /** What the units from one position up to another take together. */
  tokens(first: number, end: number): number {
    return this.#tokensBefore(end) - this.#tokensBefore(first);
  }

  /** What they take where their long texts are shortened as far as they may be. */
  leastTokens(first: number, end: number): number {
    return this.#leastTokensBefore(end) - this.#leastTokensBefore(first);
  }

  /** The position of the first unit that holds this message or one behind it. */
  unitFrom(message: number): number {
    const position = unitFrom(this.#reading.units, message);
    return position > this.#left ? position - 1 : position;
  }

  /** What a summary may say of the units before a position, but some, and of messages from a position on. */
  digest(fromMessage: number, without: readonly number[], end: number): SummaryDigest {
    return this.#reading.digests.digest({
      fromMessage,
      without: [...without.map((position) => this.#among(position)), this.#left].toSorted(
        (left, right) => left - right,
      ),
      end: this.#endAmong(end),
    });
  }

  /** The position among all units. */
  #among(position: number): number {
    return position < this.#left ? position : position + 1;
  }

  /** The position among all units, of which those before it are meant. */
  #endAmong(position: number): number {
    return position <= this.#left ? position : position + 1;
  }

  #tokensBefore(position: number): number {
    const { unit, last, query } = this.#around(position);
    return (unit?.tokensBefore ?? (last?.tokensBefore ?? 0) + (last?.tokens ?? 0)) - (query?.tokens ?? 0);
  }

  #leastTokensBefore(position: number): number {
    const { unit, last, query } = this.#around(position);
    return (
      (unit?.leastTokensBefore ?? (last?.leastTokensBefore ?? 0) + (last?.leastTokens ?? 0)) - (query?.leastTokens ?? 0)
    );
  }

  /** The unit behind those before a position, if there is one, the last of all, and the query where it is among them. */
  #around(position: number): {
    readonly unit: MessageUnit | undefined;
    readonly last: MessageUnit | undefined;
    readonly query: MessageUnit | undefined;
  } {
    const { units } = this.#reading;
    const end = this.#endAmong(position);
    return { unit: units[end], last: units.at(-1), query: end === position ? undefined : units[this.#left] };
  }

  #shortened(whole: RenderedMessage, ends: number): RenderedMessage {
    const { shortened: forms } = whole.read;
    if (forms === undefined) return whole;
    const form = ends === leastEnds ? forms.least : this.#larger(whole, forms, ends);
    return form === undefined ? whole : { ...whole, ...form, wholeTokens: messageTokens(whole.read) };
  }

  #larger(
    { message, turn, read }: RenderedMessage,
    { least, larger }: ShortenedForms,
    ends: number,
  ): ShortenedMessage | undefined {
    if (larger.has(ends)) return larger.get(ends);
    const shortened = shortenedMessage(message, ends);
    const form = shortened === undefined ? undefined : { message: shortened, read: this.#read(shortened, turn) };
    const isLess = form !== undefined && messageTokens(form.read) < messageTokens(read);
    const between = !isLess || messageTokens(form.read) >= messageTokens(least.read) ? form : least;
    larger.set(ends, isLess ? between : undefined);
    return larger.get(ends);
  }

  #latestOfUser(): number {
    const { units } = this.#reading;
    const latest = units.at(-1)?.latestOfUser ?? -1;
    // What is left out is the latest message of the user: what stays is the one before it.
    return latest === this.#left ? (units[latest - 1]?.latestOfUser ?? -1) : latest;
  }
}

/**
 * Reads a conversation. Only what is new in it, when the cache knows its beginning.
 *
 * @throws LociError `INVALID_MESSAGES`
 */
export function prepareConversation(
  messages: readonly ChatMessage[],
  query: string | undefined,
  options: ConversationOptions,
): Conversation {
  const known =
    givenConversation(messages, options) ?? options.cache?.recognise(messages) ?? knownConversation(messages);
  const reading = known.reading(readingKey(options));
  reading.extend(known.messages, known.turnOf, (message, turn) => readAt(message, turn, options));
  const measured: ReadAt = (message, turn) => readMessage(message, measureWhole(message, turn, options));
  return new Conversation(reading, measured, repeatedQuery(known, query));
}

/**
 * Reads the messages that the cache does not know yet, in steps, so that {@link prepareConversation} finds them there: a
 * call may bring megabytes.
 *
 * @param messages that were checked
 * @param mostTokens where all of them take more, what a summary may say of them is read as well
 */
export function* readMessagesSteps(
  messages: readonly ChatMessage[],
  mostTokens: number,
  options: ConversationOptions,
): Steps<void> {
  const given = givenConversation(messages, options);
  const key = readingKey(options);
  const start = given?.readLength(key) ?? options.cache?.readLength(messages, key) ?? 0;
  const read: ReadMessage[] = [];
  let tokens = 0;
  let turn = given === undefined ? usersBefore(messages, start) : 0;
  for (let index = start; index < messages.length; index++) {
    const message = messages[index] as ChatMessage;
    if (message.role === "user") turn++;
    const one = readAt(message, given?.turnOf(index) ?? Math.max(1, turn), options);
    tokens += messageTokens(one);
    read.push(one);
    yield;
  }
  if (tokens <= mostTokens) return;
  for (const one of read) {
    void one.facts;
    yield;
  }
}

/** What was kept of a conversation that is just these messages. */
function givenConversation(
  messages: readonly ChatMessage[],
  { known }: ConversationOptions,
): KnownConversation | undefined {
  if (known === undefined || known.messages.length === messages.length) return known;
  if (known.unread > 0) throw new Error("The conversation has grown, and its beginning is not there.");
  return undefined;
}

function usersBefore(messages: readonly ChatMessage[], end: number): number {
  let users = 0;
  for (let index = 0; index < end; index++) if (messages[index]?.role === "user") users++;
  return users;
}

/** Names what reading a conversation depends on, see `KnownConversation.reading`. */
export function readingKey({ form = "roles", cacheKey = "" }: Pick<ConversationOptions, "form" | "cacheKey">): string {
  return `${form}:${cacheKey}`;
}

function readAt(message: ChatMessage, turn: number, options: ConversationOptions): ReadMessage {
  const { form = "roles", cache, cacheKey = "" } = options;
  const key = form === "turns" ? `${cacheKey}:${turn}` : cacheKey;
  const measure = (): MeasuredMessage => measureMessage(message, turn, options);
  return cache?.read(message, key, measure) ?? readMessage(message, measure());
}

function knownConversation(messages: readonly ChatMessage[]): KnownConversation {
  const known = new KnownConversation();
  known.continueWith(messages, 0);
  return known;
}

function measureMessage(message: ChatMessage, turn: number, options: ConversationOptions): MeasuredMessage {
  const whole = measureWhole(message, turn, options);
  const shortened = shortenedMessage(message);
  if (shortened === undefined) return whole;
  const least = { message: shortened, read: readMessage(shortened, measureWhole(shortened, turn, options)) };
  return messageTokens(least.read) < messageTokens(whole)
    ? { ...whole, shortened: { least, larger: new Map() } }
    : whole;
}

function measureWhole(
  message: ChatMessage,
  turn: number,
  { count, format, form = "roles", provider }: ConversationOptions,
): MeasuredMessage {
  const text = messageText(message);
  if (text === "" && message.role !== "tool") return { line: "", textTokens: 0, chatTokens: 0 };
  const line = `${lineLabel(message.role, turn, form)}${format.escapeText(text, "inline")}\n`;
  return { line, textTokens: count(line), chatTokens: chatMessageTokens(message, count, provider) };
}

/** The position of the user's latest message, if it is the query word for word and shows nothing else. */
function repeatedQuery({ messages, latestOfUser }: KnownConversation, query: string | undefined): number | undefined {
  if (query === undefined) return undefined;
  const message = messages[latestOfUser];
  return message !== undefined && !hasImage(message) && messageText(message) === query ? latestOfUser : undefined;
}
