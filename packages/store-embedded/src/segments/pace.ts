import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "@loci/domain";

const stepsBetweenLooks = 64;
const millisecondsBetweenPauses = 2;

/** Lets searches in between the steps of long background work. */
export class Pace {
  readonly #signal: AbortSignal;
  #steps = 0;
  #resumed = performance.now();

  /** @param signal ends the work at its next pause */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Counts a step; true when it is time to `pause`. */
  isPauseDue(): boolean {
    return ++this.#steps % stepsBetweenLooks === 0 && performance.now() - this.#resumed >= millisecondsBetweenPauses;
  }

  async pause(): Promise<void> {
    await setImmediate();
    throwIfAborted(this.#signal);
    this.#resumed = performance.now();
  }
}
