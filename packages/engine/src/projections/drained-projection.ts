import type { Ledger } from "@loci/ledger";
import { keepTrying } from "../calls/keep-trying.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { LogProjection } from "./log-projection.ts";
import { ProjectionDrainer, type ProjectionDrainerOptions } from "./projection-drainer.ts";

/** A projection of the log, and the drainer that keeps it up from `start` to `close`. */
export class DrainedProjection {
  readonly name: string;
  /** What reports and metrics call it: of few values, while a name may hold a collection or a server. */
  readonly label: string;
  readonly projection: LogProjection;
  readonly drainer: ProjectionDrainer;
  readonly #ledger: Ledger;
  readonly #reportProblem: ReportProblem;
  readonly #stop = new AbortController();
  #wakingAll: Promise<void> = Promise.resolve();
  #stopListening: (() => void) | undefined;

  constructor(options: ProjectionDrainerOptions) {
    this.name = options.projection.name;
    this.label = options.projection.verification?.name ?? options.projection.name;
    this.projection = options.projection;
    this.drainer = new ProjectionDrainer(options);
    this.#ledger = options.ledger;
    this.#reportProblem = options.reportProblem;
  }

  /**
   * Keeps it up to date from now on, and looks in the background for tenants whose log is ahead: there may be many, and who
   * recalls meanwhile reads from the log what is not applied. A second call does nothing.
   */
  async start(): Promise<void> {
    if (this.#stopListening !== undefined) return;
    const { families, isDurable } = this.projection;
    this.#stopListening = this.#ledger.onCommitted((tenant, head, changed) => {
      if (changed === undefined || families.some((family) => changed.includes(family)))
        this.drainer.wakeSoon(tenant, head);
    });
    if (!isDurable) await this.#ledger.resetProjection(this.name);
    this.#wakingAll = keepTrying(() => this.#wakeAll(), {
      activity: `looking for what ${this.label} has not seen`,
      reportProblem: this.#reportProblem,
      signal: this.#stop.signal,
    });
  }

  async close(): Promise<void> {
    this.#stopListening?.();
    this.#stop.abort();
    await this.#wakingAll;
    await this.drainer.close();
  }

  async #wakeAll(): Promise<void> {
    const { families } = this.projection;
    for (const { tenant, head } of await this.#ledger.pending(this.name, { families })) {
      await this.drainer.hasRoom(this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      this.drainer.wake(tenant, { head });
    }
  }
}
