import { KnownConversation } from "@loci/core";
import type { ChatMessage, Version } from "@loci/domain";
import type { LedgerCheckpoints, LedgerResources } from "@loci/ledger";
import { countLookup } from "../calls/engine-metrics.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import { takeTurns } from "../calls/take-turns.ts";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import { readTurns, type TurnsOf } from "../sessions/read-turns.ts";
import {
  beginningsOf,
  type ConversationNeed,
  leastResumed,
  messageOfTurn,
  readBeginnings,
  resumeConversation,
  turnsOfBeginning,
} from "./resume-conversation.ts";

export interface SessionConversationsOptions {
  /**
   * What is kept of all sessions, in UTF-16 units: of each turn its text twice and 300 more, and 300 of each session. Those used
   * longest ago go first, and the one in use stays. Default 32,000,000.
   */
  readonly maxLength?: number | undefined;
  /** Told of what went wrong while beginnings were kept. Default nobody. */
  readonly reportProblem?: ReportProblem | undefined;
}

/** A session's turns as messages, for one call. */
export interface HeldConversation extends Disposable {
  /** What stands for those of its beginning may not be them. */
  readonly messages: readonly ChatMessage[];
  /** What is known of them. It may have grown meanwhile, unless its beginning is not there. */
  readonly known: KnownConversation;
}

type Services = { readonly ledger: LedgerResources & LedgerCheckpoints };

interface Loaded {
  readonly conversation: KnownConversation;
  /** Of a conversation whose beginning is not there: in which reading it is known, and how much stands behind it. */
  readonly resumed?: ConversationNeed | undefined;
  /** Calls that work with it. One whose beginning is not there does not grow under them. */
  holders: number;
}

interface Kept {
  /** The version the session began with: one that was deleted and made anew by the same name is another. */
  readonly since: Version;
  loaded: Loaded | undefined;
  /** Those who ask at the same time wait for each other, so that no turn is read twice. */
  reading: Promise<unknown>;
  /** Of the reading whose beginnings are kept in the ledger: how many turns the longest has. */
  beginnings?: { readonly key: string; readonly through: number } | undefined;
  saving?: Promise<void> | undefined;
  /** What it counts for. */
  size: number;
}

/** What a session counts for of which nothing was read yet. */
const sizeOfSession = 300;

/** The conversations of sessions, kept from one assembly to the next: only turns that came since are read. */
export class SessionConversations {
  readonly #maxLength: number;
  readonly #reportProblem: ReportProblem;
  /** By tenant and session, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  readonly #saving = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #size = 0;
  #rowsRead = 0;

  constructor({ maxLength = 32_000_000, reportProblem = () => undefined }: SessionConversationsOptions = {}) {
    this.#maxLength = maxLength;
    this.#reportProblem = reportProblem;
  }

  /** How many entries of the ledger were read so far. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /**
   * The messages up to the session's last turn, of which those from the latest one of the user on are what they are. Of a long
   * session that nothing is known of the others only stand for theirs.
   */
  async newest(services: Services, of: TurnsOf): Promise<readonly ChatMessage[]> {
    const { lastTurn } = of.session.header;
    const kept = this.#use(of);
    return this.#inTurn(kept, async () => {
      const { loaded } = kept;
      const isShort = loaded === undefined && lastTurn < leastResumed;
      if (isShort || (loaded !== undefined && this.#mayContinue(loaded, lastTurn)))
        return (await this.#continued(kept, { services, of })).conversation.messages.slice(0, lastTurn);
      const { turns, rowsRead } = await readTurns(services, of, { newest: turnsOfBeginning });
      this.#rowsRead += rowsRead;
      const messages = turns.map(messageOfTurn);
      if (!messages.some(({ role }) => role === "user"))
        return (await this.#readWhole(kept, { services, of })).conversation.messages.slice(0, lastTurn);
      const before: ChatMessage = { role: "system", content: "" };
      return [...Array.from({ length: lastTurn - messages.length }, () => before), ...messages];
    });
  }

  /**
   * The conversation up to the session's last turn.
   *
   * @param need how it is going to be read. Without one all of its messages are there
   */
  async hold(services: Services, of: TurnsOf, need?: ConversationNeed): Promise<HeldConversation> {
    const { lastTurn } = of.session.header;
    const kept = this.#use(of);
    const loaded = await this.#inTurn(kept, async () => {
      const found = await this.#loadedFor(kept, { services, of, need });
      // Before whoever comes next may go on with it.
      found.holders++;
      return found;
    });
    return {
      messages: loaded.conversation.messages.slice(0, lastTurn),
      known: loaded.conversation,
      [Symbol.dispose]: () => {
        loaded.holders--;
      },
    };
  }

  async #loadedFor(
    kept: Kept,
    read: { readonly services: Services; readonly of: TurnsOf; readonly need: ConversationNeed | undefined },
  ): Promise<Loaded> {
    const { services, of, need } = read;
    const { lastTurn } = of.session.header;
    const { loaded } = kept;
    const isKnown = loaded !== undefined && this.#mayContinue(loaded, lastTurn) && isEnough(loaded, need);
    countLookup("conversation", isKnown);
    if (isKnown) return this.#continued(kept, read);
    if (need === undefined || lastTurn < leastResumed || (loaded !== undefined && loaded.resumed === undefined))
      return this.#readWhole(kept, read);
    const resumed = await resumeConversation(services, of, need);
    if (resumed === undefined) return this.#readWhole(kept, read);
    this.#rowsRead += resumed.rowsRead;
    const { conversation, covers } = resumed;
    return this.#keep(kept, of, { conversation, resumed: { key: need.key, tokens: covers }, holders: 0 });
  }

  /** Keeps what reading a long conversation came to, in the background: the next process need not read its beginning. */
  keepBeginnings(services: Services & { readonly thread: ThreadTurns }, of: TurnsOf, key: string): void {
    const kept = this.#kept.get(keyOf(of));
    const conversation = kept?.loaded?.conversation;
    if (kept === undefined || conversation === undefined || kept.saving !== undefined) return;
    // A session keeps those of one reading: two that take turns would write all of them anew each time.
    if (kept.beginnings !== undefined && kept.beginnings.key !== key) return;
    const { length } = conversation.messages;
    const known = kept.beginnings?.through ?? 0;
    if (length < leastResumed || length - known < 2 * turnsOfBeginning) return;
    const { signal } = this.#closing;
    const save = async (): Promise<void> => {
      const owner = beginningsOf(of, key);
      const after =
        kept.beginnings === undefined
          ? (await readBeginnings(services, { tenant: of.tenant, signal }, owner)).through
          : known;
      const turn = (): Promise<void> | undefined => services.thread.next(of.tenant, signal, "background");
      const found = await takeTurns(conversation.beginnings(key, after, turnsOfBeginning), turn);
      if (found.length > 0) await services.ledger.checkpoints.add(of.tenant, owner, found, { replaces: after === 0 });
      kept.beginnings = { key, through: found.at(-1)?.through ?? after };
    };
    const saving = save()
      .catch((error: unknown) => {
        if (!signal.aborted) this.#reportProblem(error, "keeping what was read of a session");
      })
      .finally(() => {
        kept.saving = undefined;
        this.#saving.delete(saving);
      });
    kept.saving = saving;
    this.#saving.add(saving);
  }

  /** Resolves when what is being kept of beginnings is. */
  async settled(): Promise<void> {
    await Promise.all(this.#saving);
  }

  /** Lets go of what is being kept: it costs the next process time. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  #use(of: TurnsOf): Kept {
    const { since } = of.session;
    const key = keyOf(of);
    const known = this.#kept.get(key);
    if (known?.since === since) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    if (known !== undefined) this.#forget(key, known);
    const kept: Kept = { since, loaded: undefined, reading: Promise.resolve(), size: 0 };
    this.#kept.set(key, kept);
    this.#resize(kept, sizeOfSession);
    return kept;
  }

  async #inTurn<Result>(kept: Kept, work: () => Promise<Result>): Promise<Result> {
    const reading = kept.reading.catch(() => undefined).then(work);
    kept.reading = reading;
    return reading;
  }

  /** Whether a conversation may become that of so many turns while others work with it. */
  #mayContinue({ conversation, resumed, holders }: Loaded, lastTurn: number): boolean {
    const { length } = conversation.messages;
    return resumed === undefined || length === lastTurn || (length < lastTurn && holders === 0);
  }

  async #continued(kept: Kept, read: { readonly services: Services; readonly of: TurnsOf }): Promise<Loaded> {
    const { loaded } = kept;
    if (loaded === undefined) return this.#readWhole(kept, read);
    await this.#extend(loaded.conversation, read);
    return this.#keep(kept, read.of, loaded);
  }

  async #readWhole(kept: Kept, read: { readonly services: Services; readonly of: TurnsOf }): Promise<Loaded> {
    const loaded =
      kept.loaded === undefined || kept.loaded.resumed !== undefined
        ? { conversation: new KnownConversation(), holders: 0 }
        : kept.loaded;
    await this.#extend(loaded.conversation, read);
    return this.#keep(kept, read.of, loaded);
  }

  async #extend(
    conversation: KnownConversation,
    { services, of }: { readonly services: Services; readonly of: TurnsOf },
  ): Promise<void> {
    const known = conversation.messages.length;
    if (known >= of.session.header.lastTurn) return;
    const { turns, rowsRead } = await readTurns(services, of, { first: known + 1 });
    this.#rowsRead += rowsRead;
    conversation.append(turns.map(messageOfTurn));
  }

  #keep(kept: Kept, of: TurnsOf, loaded: Loaded): Loaded {
    const key = keyOf(of);
    // One that knows more of the session stays.
    const isOlder = (kept.loaded?.conversation.messages.length ?? 0) > loaded.conversation.messages.length;
    if (this.#kept.get(key) !== kept || isOlder) return loaded;
    kept.loaded = loaded;
    this.#resize(kept, sizeOfSession + loaded.conversation.size);
    return loaded;
  }

  /** Notes what a session counts for, and makes room for it. */
  #resize(kept: Kept, size: number): void {
    this.#size += size - kept.size;
    kept.size = size;
    for (const [oldest, unused] of this.#kept) {
      // One that is larger than all the room there is would be read as a whole at each of its turns.
      if (this.#size <= this.#maxLength || unused === kept) break;
      this.#forget(oldest, unused);
    }
  }

  #forget(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#size -= kept.size;
    kept.size = 0;
  }
}

/** Whether a conversation has all that is going to be read of it. */
function isEnough({ resumed }: Loaded, need: ConversationNeed | undefined): boolean {
  return resumed === undefined || (need !== undefined && need.key === resumed.key && need.tokens <= resumed.tokens);
}

function keyOf({ tenant, session: { ref } }: TurnsOf): string {
  return `${tenant} ${ref}`;
}
