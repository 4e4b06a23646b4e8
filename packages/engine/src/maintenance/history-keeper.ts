import type { Ledger } from "@loci/ledger";
import { backgroundPause } from "../calls/pause.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { IndexHistory } from "../projections/index-history.ts";

/** A ledger that is put back by less than this may not be told by its mark; its tenants' sequences tell then. */
const renewDelay = 10_000;

/** Renews the mark of the indexes in use while the ledger changes. */
export class HistoryKeeper {
  readonly #history: () => IndexHistory | undefined;
  readonly #reportProblem: ReportProblem;
  readonly #stop = new AbortController();
  readonly #stopListening: () => void;
  readonly #running: Promise<void>;
  #hasChanged = false;

  /** @param history of the indexes in use just now */
  constructor(
    ledger: Pick<Ledger, "onCommitted">,
    history: () => IndexHistory | undefined,
    reportProblem: ReportProblem,
  ) {
    this.#history = history;
    this.#reportProblem = reportProblem;
    this.#stopListening = ledger.onCommitted(() => (this.#hasChanged = true));
    this.#running = this.#run();
  }

  /** Makes the last mark. To be called when nothing is applied any more. */
  async close(): Promise<void> {
    this.#stop.abort();
    this.#stopListening();
    await this.#running;
    await this.#tell(() => this.#history()?.close());
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      await backgroundPause(renewDelay, signal);
      if (signal.aborted) return;
      if (!this.#hasChanged) continue;
      this.#hasChanged = false;
      await this.#tell(() => this.#history()?.renew());
    }
  }

  /** Without a mark the next start looks more closely, or builds indexes again: no reason for anything to fail. */
  async #tell(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#reportProblem(error, "noting which ledger the indexes follow");
    }
  }
}
