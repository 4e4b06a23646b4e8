import type { RecalledBlock } from "./recalled-block.ts";
import { RecentMap } from "./recent-map.ts";

const mostQuestions = 256;
const longestRun = 3_600_000;

interface Entry {
  readonly block: Promise<RecalledBlock | undefined>;
  readonly controller: AbortController;
  waiting: number;
  askedAt: number;
}

/** Recalls once for all who ask the same; the signal aborts when none of them waits any more. */
export type RecallForQuestion = (signal: AbortSignal) => Promise<RecalledBlock | undefined>;

/**
 * What was found for questions that are being answered, so that all steps of a run are shown the same bytes. A question is forgotten
 * when its run is finished, an hour after its last step, and behind 256 others.
 */
export class QuestionBlocks {
  readonly #entries = new RecentMap<Entry>(mostQuestions);
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** What was found for the question, or is now. What failed is not kept. */
  async find(
    question: string,
    recall: RecallForQuestion,
    signal: AbortSignal | undefined,
  ): Promise<RecalledBlock | undefined> {
    signal?.throwIfAborted();
    const known = this.#entries.get(question);
    const entry =
      known !== undefined && this.#now() - known.askedAt < longestRun ? known : this.#begin(question, recall);
    entry.askedAt = this.#now();
    entry.waiting++;
    try {
      return await unlessAborted(entry.block, signal);
    } finally {
      entry.waiting--;
      if (entry.waiting === 0 && signal?.aborted === true) this.#giveUp(question, entry, signal.reason);
    }
  }

  forget(question: string): void {
    this.#entries.delete(question);
  }

  #begin(question: string, recall: RecallForQuestion): Entry {
    const controller = new AbortController();
    const block = recall(controller.signal);
    const entry = { block, controller, waiting: 0, askedAt: this.#now() };
    block.catch(() => this.#entries.delete(question, entry));
    this.#entries.set(question, entry);
    return entry;
  }

  #giveUp(question: string, entry: Entry, reason: unknown): void {
    this.#entries.delete(question, entry);
    entry.controller.abort(reason);
  }
}

/** Rejects with the signal's reason as soon as it aborts. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
