import { signal } from "@preact/signals";
import type { Memory } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { failureOf, isCancelled } from "../../api/failure.ts";
import { shownText } from "../../text/shown-parts.ts";

/** What became of one memory. */
export interface MemoryResult {
  readonly id: string;
  readonly text: string;
  readonly outcome: "done" | "unchanged" | "failed";
  /** Why it failed, such as `VERSION_CONFLICT`. */
  readonly reason: string;
}

/** Does something with a memory as it is now. `unchanged`: it was so already. */
export type MemoryWork = (memory: Memory, signal: AbortSignal) => Promise<"done" | "unchanged">;

const readAtOnce = 100;
const changedAtOnce = 4;
const mostShown = 200;

/** The same work on many memories, one after the other, each with a result of its own. */
export class WorkOnMany {
  readonly results: MemoryResult[] = [];
  /** How many results there are: shown as it grows, so not with each of them. */
  readonly done = signal(0);
  readonly isRunning = signal(true);
  readonly #ids: readonly string[];
  readonly #work: MemoryWork;
  readonly #stopping = new AbortController();

  constructor(ids: readonly string[], work: MemoryWork) {
    this.#ids = ids;
    this.#work = work;
  }

  get total(): number {
    return this.#ids.length;
  }

  /** What was done stays done. */
  stop(): void {
    this.#stopping.abort();
  }

  count(outcome: MemoryResult["outcome"]): number {
    return this.results.reduce((count, result) => count + (result.outcome === outcome ? 1 : 0), 0);
  }

  async run(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for (let rest = this.#ids; rest.length > 0 && !signal.aborted;) {
        const some = rest.slice(0, readAtOnce);
        const unread = await this.#runSome(some);
        rest = [...unread, ...rest.slice(some.length)];
        this.done.value = this.results.length;
      }
    } finally {
      this.done.value = this.results.length;
      this.isRunning.value = false;
    }
  }

  /** @returns what was not read */
  async #runSome(ids: readonly string[]): Promise<readonly string[]> {
    const { signal } = this.#stopping;
    try {
      const { memories: found, missingIds, unreadIds } = await memories.batchGetMemories({ ids: [...ids] }, { signal });
      for (const id of missingIds) this.results.push({ id, text: "", outcome: "failed", reason: "MEMORY_NOT_FOUND" });
      const waiting = found[Symbol.iterator]();
      const one = async (): Promise<void> => {
        for (const memory of waiting) if (!signal.aborted) this.results.push(await this.#resultOf(memory));
      };
      await Promise.all(Array.from({ length: changedAtOnce }, one));
      return unreadIds;
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return [];
      const { reason } = failureOf(error);
      for (const id of ids) this.results.push({ id, text: "", outcome: "failed", reason });
      return [];
    }
  }

  async #resultOf(memory: Memory): Promise<MemoryResult> {
    const { id } = memory;
    const text = shownText(memory.text.slice(0, mostShown).toWellFormed());
    try {
      return { id, text, outcome: await this.#work(memory, this.#stopping.signal), reason: "" };
    } catch (error) {
      return { id, text, outcome: "failed", reason: failureOf(error).reason };
    }
  }
}
