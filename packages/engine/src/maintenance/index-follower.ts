import type { Ledger } from "@loci/ledger";
import { backgroundPause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { IndexMover } from "./index-mover.ts";
import { readIndexRecord } from "../projections/index-record.ts";

/** One small read of the ledger each time. */
const lookDelay = 2_000;
const longestRetryDelay = 300_000;

/** Looks again and again whether another server has moved the indexes, and follows it. */
export class IndexFollower {
  readonly #ledger: Pick<Ledger, "settings">;
  readonly #mover: Pick<IndexMover, "follow">;
  readonly #reportProblem: ReportProblem;
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;

  constructor(ledger: Pick<Ledger, "settings">, mover: Pick<IndexMover, "follow">, reportProblem: ReportProblem) {
    this.#ledger = ledger;
    this.#mover = mover;
    this.#reportProblem = reportProblem;
    this.#following = this.#follow();
  }

  /** Stops also in the middle of a move, which changes nothing. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#following;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; ;) {
      await backgroundPause(Math.min(lookDelay * 2 ** failures, longestRetryDelay), signal);
      if (signal.aborted) return;
      let activity = "looking where the indexes are";
      try {
        const recorded = await readIndexRecord(this.#ledger);
        if (recorded === undefined) continue;
        activity = `following the indexes to "${recorded.place}" with the embedder "${recorded.embedder}"`;
        await this.#mover.follow(recorded, { signal });
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        failures++;
        this.#reportProblem(error, activity);
      }
    }
  }
}
