import { setImmediate } from "node:timers/promises";
import type { CallSignal } from "@loci/domain";

const rowsBetweenLooks = 256;
const millisecondsBetweenPauses = 5;

/** Keeps a long scan from holding the event loop: the process stays responsive, and the scan sees its abort signal. */
export class ScanPace {
  readonly #call: CallSignal;
  #rows = 0;
  #resumed: number = performance.now();

  constructor(call: CallSignal) {
    this.#call = call;
    call.throwIfAborted();
  }

  /** Counts a row; true when it is time to `pause`. */
  isPauseDue(): boolean {
    return ++this.#rows % rowsBetweenLooks === 0 && performance.now() - this.#resumed >= millisecondsBetweenPauses;
  }

  /** Lets everything else run. @throws the LociError of the call's signal */
  async pause(): Promise<void> {
    await setImmediate();
    this.#call.throwIfAborted();
    this.#resumed = performance.now();
  }
}
