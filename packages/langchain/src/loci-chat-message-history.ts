import { BaseListChatMessageHistory } from "@langchain/core/chat_history";
import type { BaseMessage } from "@langchain/core/messages";
import { cutTurn, turnWithoutCall } from "@loci/agent";
import { type Loci, LociError, maxTurnsPerAppend, type ScopeInput } from "@loci/domain";
import { GrowingSession, type HistoryCallOptions, type SessionSettings } from "./growing-session.ts";
import { MessageRecords, type SaidMessage } from "./message-records.ts";
import { messageOf, turnOf } from "./message-turns.ts";

/**
 * Whose conversation a history is, and what its session is made with when the first message comes. `capture` is `{ everyTurns: 1 }`
 * where nothing else is said.
 */
export interface LociChatMessageHistoryOptions extends SessionSettings {
  readonly loci: Loci;
  /** Whose session it is, such as `user:ann`. From your application, never from what a model said. */
  readonly scope: ScopeInput;
  /** The session's id, 1 to 177 bytes. */
  readonly session: string;
  /** Of every call that the history makes, such as a signal. */
  readonly call?: HistoryCallOptions | undefined;
}

/**
 * A conversation that Loci keeps as a session. Messages come back as they went in: what turns of a session do not have, such
 * as ids and images, is kept beside it.
 */
export class LociChatMessageHistory extends BaseListChatMessageHistory {
  override lc_namespace: string[] = ["loci", "chat_history"];
  readonly #session: GrowingSession;
  readonly #records: MessageRecords;
  /** Messages stand in the order in which they were given, whoever waits for them. */
  #appended: Promise<void> = Promise.resolve();

  constructor(options: LociChatMessageHistoryOptions) {
    super();
    const { loci, scope, session, call, ...settings } = options;
    const key = { scope, id: session };
    // Who writes a history closes no session: what was said is learnt of at once, as by the middleware.
    this.#session = new GrowingSession(
      loci,
      key,
      { ...settings, capture: settings.capture ?? { everyTurns: 1 } },
      call,
    );
    this.#records = new MessageRecords(loci, key, settings.keepSecrets, call);
  }

  /** All messages, oldest first; none where there is no session yet. */
  override async getMessages(): Promise<BaseMessage[]> {
    await this.#appended;
    const turns = await this.#session.turns();
    const beyond = await this.#records.read();
    return turns.map((turn) => messageOf(turn, beyond(turn)));
  }

  /** Appends one message. */
  override addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message]);
  }

  /** Appends messages: up to 100 all or none, more in several steps. */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const at = Date.now();
    const said = messages.map((message) => ({ message, turn: { ...cutTurn(turnOf(message)), at } }));
    const appended = this.#appended.then(() => this.#append(said));
    this.#appended = appended.catch(() => undefined);
    await appended;
  }

  /** Deletes the session. Memories that were made of it stay. */
  override async clear(): Promise<void> {
    await this.#appended;
    await this.#records.delete();
    await this.#session.delete();
  }

  async #append(said: readonly SaidMessage[]): Promise<void> {
    for (let first = 0; first < said.length; first += maxTurnsPerAppend)
      await this.#appendAtOnce(said.slice(first, first + maxTurnsPerAppend));
  }

  async #appendAtOnce(said: readonly SaidMessage[]): Promise<void> {
    const turns = said.map(({ turn }) => turn);
    try {
      await this.#session.append(turns, (number) => this.#records.keep(said, number));
    } catch (error) {
      const alone = resultWithoutCall(error, said);
      if (alone === undefined) throw error;
      await this.#appendAtOnce(
        said.map((each) =>
          each === alone ? { ...each, turn: { ...turnWithoutCall(each.turn), at: each.turn.at } } : each,
        ),
      );
    }
  }
}

/** The message whose call does not stand before it in the session: it was cut off, or somebody else spoke in between. */
function resultWithoutCall(error: unknown, said: readonly SaidMessage[]): SaidMessage | undefined {
  if (!LociError.is(error) || error.reason !== "INVALID_MESSAGES") return undefined;
  const refused = said[Number(error.details["turn"])];
  return refused?.turn.toolCallId !== undefined && error.field?.endsWith(".toolCallId") === true ? refused : undefined;
}
