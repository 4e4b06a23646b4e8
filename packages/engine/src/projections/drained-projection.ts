import type { Ledger } from "@loci/ledger";
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
  #stopListening: (() => void) | undefined;

  constructor(options: ProjectionDrainerOptions) {
    this.name = options.projection.name;
    this.label = options.projection.verification?.name ?? options.projection.name;
    this.projection = options.projection;
    this.drainer = new ProjectionDrainer(options);
    this.#ledger = options.ledger;
  }

  /** Brings it up to date, and keeps it there. A second call does nothing. */
  async start(): Promise<void> {
    if (this.#stopListening !== undefined) return;
    const { families, isDurable } = this.projection;
    this.#stopListening = this.#ledger.onCommitted((tenant, head, changed) => {
      if (changed === undefined || families.some((family) => changed.includes(family)))
        this.drainer.wakeSoon(tenant, head);
    });
    if (!isDurable) await this.#ledger.resetProjection(this.name);
    for (const { tenant, head } of await this.#ledger.pending(this.name, { families }))
      this.drainer.wake(tenant, { head });
  }

  async close(): Promise<void> {
    this.#stopListening?.();
    await this.drainer.close();
  }
}
