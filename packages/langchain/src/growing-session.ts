import {
  type CallOptions,
  type ErrorReason,
  type Loci,
  LociError,
  type SessionInput,
  type SessionKeyInput,
  type Turn,
  type TurnInput,
} from "@loci/domain";

/** What a session is made with when its first turn comes. */
export type SessionSettings = Omit<SessionInput, "scope" | "id" | "createdAt">;

/** What every call of a history is made with. */
export type HistoryCallOptions = Pick<CallOptions, "signal" | "deadline">;

/** A session that others may append to as well, and that is made when it is needed. */
export class GrowingSession {
  readonly #loci: Loci;
  readonly #key: SessionKeyInput;
  readonly #settings: SessionSettings;
  readonly #call: HistoryCallOptions | undefined;
  #lastTurn: number | undefined;

  constructor(loci: Loci, key: SessionKeyInput, settings: SessionSettings, call?: HistoryCallOptions) {
    this.#loci = loci;
    this.#key = key;
    this.#settings = settings;
    this.#call = call;
  }

  /** All turns, oldest first. None where there is no session. */
  async turns(): Promise<Turn[]> {
    const turns: Turn[] = [];
    let pageToken: string | undefined;
    do {
      const page = await this.#loci.sessions
        .turns(this.#key, { pageSize: 1_000, pageToken }, this.#call)
        .catch(unlessReason("SESSION_NOT_FOUND"));
      turns.push(...(page?.turns ?? []));
      pageToken = page?.nextPageToken;
    } while (pageToken !== undefined);
    return turns;
  }

  /**
   * Appends up to 100 turns behind all that stand there.
   *
   * @param before is told which number the first of them gets; again, when somebody else was quicker
   */
  async append(turns: readonly TurnInput[], before?: (first: number) => Promise<void>): Promise<void> {
    while (turns.length > 0) {
      const expectedLast = this.#lastTurn ?? (await this.#open());
      try {
        await before?.(expectedLast + 1);
        const { lastTurn } = await this.#loci.sessions.append(this.#key, { expectedLast, turns }, this.#call);
        this.#lastTurn = lastTurn;
        return;
      } catch (error) {
        const wasKnown = this.#lastTurn !== undefined;
        this.#lastTurn = undefined;
        // Somebody else went on with it, or deleted it.
        unlessReason("TURN_CONFLICT", ...(wasKnown ? ["SESSION_NOT_FOUND" as const] : []))(error);
      }
    }
  }

  async delete(): Promise<void> {
    this.#lastTurn = undefined;
    await this.#loci.sessions.delete(this.#key, undefined, this.#call).catch(unlessReason("SESSION_NOT_FOUND"));
  }

  /** The number of the last turn. */
  async #open(): Promise<number> {
    const kept = await this.#loci.sessions.get(this.#key, this.#call).catch(unlessReason("SESSION_NOT_FOUND"));
    if (kept !== undefined) return kept.lastTurn;
    await this.#loci.sessions
      .create({ ...this.#key, ...this.#settings }, this.#call)
      .catch(unlessReason("SESSION_EXISTS"));
    return (await this.#loci.sessions.get(this.#key, this.#call)).lastTurn;
  }
}

/** Takes errors of these reasons for an answer, and throws all others. */
function unlessReason(...reasons: readonly ErrorReason[]): (error: unknown) => undefined {
  return (error) => {
    if (!LociError.is(error) || !reasons.includes(error.reason)) throw error;
  };
}
