import { randomBytes } from "node:crypto";
import { type ListTurnsResult, type Loci, LociError, type SessionKeyInput, type Turn } from "@loci/domain";
import { type History, historyOf } from "./history.ts";
import { clearsHistory, type HistoryRecord, recordsOfTurns, turnsOfRecord } from "./history-record.ts";

/** What becomes of a history. */
export type HistoryChange = Omit<HistoryRecord, "id">;

/** Others may be quicker so often before a change is given up. */
const mostTries = 100;

/** The changes of one history, in a session: they are appended, and nothing that stands there is changed. */
export class HistoryLog {
  readonly #loci: Loci;
  readonly #key: SessionKeyInput;
  readonly #keepSecrets: boolean;
  /** A change whose answer was lost: it may be there. */
  #unanswered: { readonly change: string; readonly id: string } | undefined;

  constructor(loci: Loci, key: SessionKeyInput, keepSecrets: boolean) {
    this.#loci = loci;
    this.#key = key;
    this.#keepSecrets = keepSecrets;
  }

  /** The history as it is. One that nothing was ever added to is empty. */
  async read(): Promise<History> {
    return (await this.#read()).history;
  }

  /**
   * Changes the history as it is then: what somebody else changed meanwhile is read, and it is decided anew.
   *
   * @param decide `undefined`: nothing
   */
  async change(decide: (history: History) => HistoryChange | undefined): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { history, lastTurn } = await this.#read();
      const change = decide(history);
      if (change === undefined) return;
      const text = JSON.stringify(change);
      if (this.#unanswered?.change === text && history.changes.has(this.#unanswered.id)) {
        this.#unanswered = undefined;
        return;
      }
      const id = randomBytes(6).toString("hex");
      this.#unanswered = { change: text, id };
      try {
        await this.#append({ ...change, id }, lastTurn);
        this.#unanswered = undefined;
        return;
      } catch (error) {
        if (!LociError.is(error)) throw error;
        if (error.code !== "UNAVAILABLE" && error.code !== "DEADLINE_EXCEEDED") this.#unanswered = undefined;
        if (error.reason !== "TURN_CONFLICT" || tries === mostTries) throw error;
      }
    }
  }

  async #append(record: HistoryRecord, expectedLast: number | undefined): Promise<void> {
    if (expectedLast === undefined) await this.#begin();
    await this.#loci.sessions.append(this.#key, { expectedLast: expectedLast ?? 0, turns: turnsOfRecord(record) });
  }

  async #begin(): Promise<void> {
    try {
      await this.#loci.sessions.create({ ...this.#key, capture: "off", keepSecrets: this.#keepSecrets });
    } catch (error) {
      if (!LociError.is(error) || error.reason !== "SESSION_EXISTS") throw error;
    }
  }

  /** Back to where the history was cleared. `lastTurn` is missing where there is no session yet. */
  async #read(): Promise<{ readonly history: History; readonly lastTurn: number | undefined }> {
    const newestFirst: Turn[] = [];
    let lastTurn: number | undefined;
    let pageToken: string | undefined;
    try {
      let page: ListTurnsResult;
      do {
        page = await this.#loci.sessions.turns(this.#key, { order: "newestFirst", pageSize: 1_000, pageToken });
        lastTurn ??= page.lastTurn;
        newestFirst.push(...page.turns);
        pageToken = page.nextPageToken;
      } while (pageToken !== undefined && !page.turns.some(clearsHistory));
    } catch (error) {
      if (!LociError.is(error) || error.reason !== "SESSION_NOT_FOUND" || lastTurn !== undefined) throw error;
    }
    return { history: historyOf(recordsOfTurns(newestFirst.toReversed())), lastTurn };
  }
}
