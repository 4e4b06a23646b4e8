import { randomBytes } from "node:crypto";
import {
  type ErrorCode,
  type ListTurnsRequest,
  type ListTurnsResult,
  type Loci,
  LociError,
  type SessionKeyInput,
  type Turn,
} from "@loci/domain";
import type { AgentInputItem } from "@openai/agents-core";
import { type History, historyOf } from "./history.ts";
import { clearsHistory, type HistoryRecord, recordsOfTurns, turnsOfRecord } from "./history-record.ts";

/** What becomes of a history. */
export type HistoryChange = Omit<HistoryRecord, "id">;

/** After these a change may have been made or not. */
const lostAnswers: ReadonlySet<string> = new Set<ErrorCode>(["UNAVAILABLE", "DEADLINE_EXCEEDED", "CANCELLED"]);

/** Others may be quicker so often before a change is given up. */
const mostTries = 100;

interface Attempt {
  readonly lastTurn: number | undefined;
  readonly tries: number;
  readonly asked: string | undefined;
}

/** The changes of one history, in a session: they are appended, and nothing that stands there is changed. */
export class HistoryLog {
  readonly #loci: Loci;
  readonly #key: SessionKeyInput;
  readonly #keepSecrets: boolean;
  /** A change whose answer was lost: it may be there. */
  #unanswered: { readonly asked: string; readonly id: string } | undefined;

  constructor(loci: Loci, key: SessionKeyInput, keepSecrets: boolean) {
    this.#loci = loci;
    this.#key = key;
    this.#keepSecrets = keepSecrets;
  }

  /** The history as it is. One that nothing was ever added to is empty. */
  async read(): Promise<History> {
    return (await this.#read()).history;
  }

  /** Adds items to the end of the history, whatever it is. */
  async add(items: readonly AgentInputItem[]): Promise<void> {
    const change: HistoryChange = { removed: 0, items };
    const asked = JSON.stringify(items);
    // Where an answer was lost it has to be seen whether the items are there.
    if (this.#unanswered?.asked === asked) await this.change(() => change, asked);
    else
      for (let tries = 1; !(await this.#isMade(change, { lastTurn: await this.#lastTurn(), tries, asked }));) tries++;
  }

  /**
   * Changes the history as it is then: what somebody else changed meanwhile is read, and it is decided anew.
   *
   * @param decide `undefined`: nothing
   * @param asked what tells that the same is asked again as its answer was lost. Without it, it is done again
   * @returns what was removed
   */
  async change(
    decide: (history: History) => HistoryChange | undefined,
    asked?: string,
  ): Promise<readonly AgentInputItem[]> {
    for (let tries = 1; ; tries++) {
      const { history, lastTurn } = await this.#read();
      const unanswered = asked !== undefined && this.#unanswered?.asked === asked ? this.#unanswered.id : "";
      const removed = history.changes.get(unanswered);
      this.#unanswered = undefined;
      if (removed !== undefined) return removed;
      const change = decide(history);
      if (change === undefined) return [];
      if (await this.#isMade(change, { lastTurn, tries, asked })) return removedBy(change, history);
    }
  }

  /** False where somebody else was quicker. */
  async #isMade(change: HistoryChange, { lastTurn, tries, asked }: Attempt): Promise<boolean> {
    const id = randomBytes(6).toString("hex");
    try {
      await this.#append({ ...change, id }, lastTurn);
      return true;
    } catch (error) {
      if (!LociError.is(error)) throw error;
      this.#unanswered = asked !== undefined && lostAnswers.has(error.code) ? { asked, id } : undefined;
      if (error.reason === "TURN_CONFLICT" && tries < mostTries) return false;
      throw error;
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

  /** Missing where there is no session yet. */
  async #lastTurn(): Promise<number | undefined> {
    const page = await this.#page({ order: "newestFirst", pageSize: 1 });
    return page?.lastTurn;
  }

  /** Back to where the history was cleared. */
  async #read(): Promise<{ readonly history: History; readonly lastTurn: number | undefined }> {
    const newestFirst: Turn[] = [];
    let lastTurn: number | undefined;
    let pageToken: string | undefined;
    do {
      const page = await this.#page({ order: "newestFirst", pageSize: 1_000, pageToken });
      lastTurn ??= page?.lastTurn;
      newestFirst.push(...(page?.turns ?? []));
      pageToken = page?.turns.some(clearsHistory) === true ? undefined : page?.nextPageToken;
    } while (pageToken !== undefined);
    return { history: historyOf(recordsOfTurns(newestFirst.toReversed())), lastTurn };
  }

  /** `undefined` where there is no session. */
  async #page(request: ListTurnsRequest): Promise<ListTurnsResult | undefined> {
    try {
      return await this.#loci.sessions.turns(this.#key, request);
    } catch (error) {
      if (LociError.is(error) && error.reason === "SESSION_NOT_FOUND" && request.pageToken === undefined)
        return undefined;
      throw error;
    }
  }
}

function removedBy({ removed }: HistoryChange, { items }: History): readonly AgentInputItem[] {
  return items.slice(removed === "all" ? 0 : items.length - removed);
}
