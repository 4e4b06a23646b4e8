import { setTimeout } from "node:timers/promises";
import { throwIfAborted } from "@loci/domain";

/** Waits, unless the signal aborts: then it rejects with the signal's reason, or `CANCELLED`. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}
