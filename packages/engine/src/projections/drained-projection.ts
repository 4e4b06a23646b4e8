import type { Ledger } from "@loci/ledger";
import type { Projection } from "@loci/store";
import { ProjectionDrainer, type ProjectionDrainerOptions } from "./projection-drainer.ts";

export interface DrainedProjectionOptions extends ProjectionDrainerOptions {
  /** False when everything is gone once it is closed, so that it is built anew at every start. */
  readonly isDurable: boolean;
}

/** A projection of the log, and the drainer that keeps it up from `start` to `close`. */
export class DrainedProjection {
  readonly name: string;
  readonly projection: Projection;
  readonly drainer: ProjectionDrainer;
  readonly #ledger: Ledger;
  readonly #isDurable: boolean;
  #stopListening: (() => void) | undefined;

  constructor(options: DrainedProjectionOptions) {
    this.name = options.name;
    this.projection = options.projection;
    this.drainer = new ProjectionDrainer(options);
    this.#ledger = options.ledger;
    this.#isDurable = options.isDurable;
  }

  /** Brings it up to date, and keeps it there. A second call does nothing. */
  async start(): Promise<void> {
    if (this.#stopListening !== undefined) return;
    const { families } = this.drainer;
    this.#stopListening = this.#ledger.onCommitted((tenant, head, changed) => {
      if (changed === undefined || families.some((family) => changed.includes(family)))
        this.drainer.wakeSoon(tenant, head);
    });
    if (!this.#isDurable) await this.#ledger.resetProjection(this.name);
    for (const { tenant, head } of await this.#ledger.pending(this.name, { families }))
      this.drainer.wake(tenant, { head });
  }

  async close(): Promise<void> {
    this.#stopListening?.();
    await this.drainer.close();
  }
}
