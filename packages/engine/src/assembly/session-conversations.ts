import { KnownConversation } from "@loci/core";
import type { ChatMessage, Turn, Version } from "@loci/domain";
import type { LedgerResources } from "@loci/ledger";
import { readTurns, type TurnsOf } from "../sessions/read-turns.ts";

export interface SessionConversationsOptions {
  /**
   * What is kept of all sessions, in UTF-16 units: of each turn its text twice and 300 more. Those used longest ago go first,
   * and the one in use stays. Default 32,000,000.
   */
  readonly maxLength?: number | undefined;
}

/** A session's turns as messages. */
export interface SessionConversation {
  readonly messages: readonly ChatMessage[];
  /** What is known of them. It may have grown meanwhile, and is of use only as long as it has not. */
  readonly known: KnownConversation;
}

interface Kept {
  readonly conversation: KnownConversation;
  /** The version the session began with: one that was deleted and made anew by the same name is another. */
  readonly since: Version;
  /** Those who ask at the same time wait for each other, so that no turn is read twice. */
  reading: Promise<void>;
  /** What it counts for. */
  size: number;
}

/** The conversations of sessions, kept from one assembly to the next: only turns that came since are read. */
export class SessionConversations {
  readonly #maxLength: number;
  /** By tenant and session, the longest unused first. */
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  #rowsRead = 0;

  constructor({ maxLength = 32_000_000 }: SessionConversationsOptions = {}) {
    this.#maxLength = maxLength;
  }

  /** How many entries of the ledger were read so far. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  /** The conversation up to the session's last turn. */
  async upTo(services: { readonly ledger: LedgerResources }, of: TurnsOf): Promise<SessionConversation> {
    const { ref, since } = of.session;
    const key = `${of.tenant} ${ref}`;
    const known = this.#kept.get(key);
    if (known !== undefined && known.since !== since) this.#forget(key, known);
    const kept: Kept =
      known?.since === since
        ? known
        : { conversation: new KnownConversation(), since, reading: Promise.resolve(), size: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const reading = kept.reading.catch(() => undefined).then(() => this.#extend(key, kept, { services, of }));
    kept.reading = reading;
    await reading;
    const { conversation: grown } = kept;
    return { messages: grown.messages.slice(0, of.session.header.lastTurn), known: grown };
  }

  async #extend(
    key: string,
    kept: Kept,
    { services, of }: { readonly services: { readonly ledger: LedgerResources }; readonly of: TurnsOf },
  ): Promise<void> {
    const { conversation } = kept;
    const known = conversation.messages.length;
    if (known >= of.session.header.lastTurn) return;
    const { turns, rowsRead } = await readTurns(services, of, { first: known + 1 });
    this.#rowsRead += rowsRead;
    conversation.append(turns.map(messageOfTurn));
    if (this.#kept.get(key) !== kept) return;
    this.#size += conversation.size - kept.size;
    kept.size = conversation.size;
    for (const [oldest, unused] of this.#kept) {
      // One that is larger than all the room there is would be read as a whole at each of its turns.
      if (this.#size <= this.#maxLength || unused === kept) return;
      this.#forget(oldest, unused);
    }
  }

  #forget(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#size -= kept.size;
    kept.size = 0;
  }
}

/** A turn in the OpenAI form. */
export function messageOfTurn({ role, content, name, toolCalls, toolCallId }: Turn): ChatMessage {
  return {
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(toolCalls === undefined ? {} : { tool_calls: toolCalls }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}
