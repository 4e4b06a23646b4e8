import type { Steps } from "@loci/core";

/**
 * Does work step by step.
 *
 * @param turn resolves when the thread may be used for some milliseconds
 */
export async function takeTurns<Result>(steps: Steps<Result>, turn: () => Promise<void> | undefined): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn();
  }
}
