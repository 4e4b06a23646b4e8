import { setImmediate } from "node:timers/promises";
import type { CallSignal } from "@loci/domain";

/** How long reads may keep the event loop before others get their turn, in milliseconds. */
const turnMilliseconds = 4;

/** How many rows are read between two looks at the clock. */
export const rowsPerStep = 256;

/** Lets long reads, cut into steps, take turns with everything else on the event loop. */
export class ReadingPace {
  readonly #over: CallSignal;
  readonly #checkOpen: () => void;
  #turnBegan = performance.now();

  constructor(over: CallSignal, checkOpen: () => void) {
    this.#over = over;
    this.#checkOpen = checkOpen;
  }

  /**
   * To be awaited between two steps.
   *
   * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED`, `CLOSED`
   */
  async step(): Promise<void> {
    if (performance.now() - this.#turnBegan < turnMilliseconds) return;
    await setImmediate();
    this.#over.throwIfAborted();
    this.#checkOpen();
    this.#turnBegan = performance.now();
  }
}

/** Cuts a list into pieces of one step. */
export function* inSteps<Element>(elements: readonly Element[]): Generator<readonly Element[]> {
  for (let start = 0; start < elements.length; start += rowsPerStep) yield elements.slice(start, start + rowsPerStep);
}
