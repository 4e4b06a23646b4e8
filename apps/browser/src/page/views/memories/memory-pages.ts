import { signal } from "@preact/signals";
import type { MemoryState, Scope } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { type Failure, failureOf, isAway, isCancelled } from "../../api/failure.ts";
import { serverAway } from "../../state/server-away.ts";
import { type MemoryRow, memoryRow } from "./memory-row.ts";

/** Which memories a list has. */
export interface MemoryFilter {
  readonly scopes: readonly Scope[];
  readonly state: MemoryState;
  /** Empty: every category. */
  readonly category: string;
  /** Words that have to stand in the text; empty: any text. */
  readonly find: string;
}

/** How far a list is. */
export interface PagesProgress {
  readonly rows: readonly MemoryRow[];
  /** How many memories were looked at for them. */
  readonly searched: number;
  readonly isComplete: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
}

const firstPage = 100;
const laterPages = 1_000;
const retryMilliseconds = 2_000;

/** Memories page by page, as far as somebody has scrolled; all of them when words are looked for. */
export class MemoryPages {
  readonly progress = signal<PagesProgress>({
    rows: [],
    searched: 0,
    isComplete: false,
    isLoading: true,
    failure: undefined,
  });
  readonly #filter: MemoryFilter;
  readonly #leaving = new AbortController();
  readonly #sought: string;
  #wanted = firstPage;
  #pageToken = "";
  #isRunning = false;

  constructor(filter: MemoryFilter) {
    this.#filter = filter;
    this.#sought = filter.find.toLowerCase();
    void this.#run();
  }

  /** Loads on until there are so many rows, or no more. */
  want(rows: number): void {
    if (rows <= this.#wanted) return;
    this.#wanted = rows;
    void this.#run();
  }

  /** Takes a row out that is no more, until the list is loaded again. */
  remove(id: string): void {
    const { rows, ...rest } = this.progress.value;
    this.progress.value = { ...rest, rows: rows.filter((row) => row.id !== id) };
  }

  retry(): void {
    void this.#run();
  }

  close(): void {
    this.#leaving.abort();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (!this.progress.value.isComplete && this.progress.value.rows.length < this.#wanted) await this.#loadPage();
      this.progress.value = { ...this.progress.value, isLoading: false };
    } catch (error) {
      if (this.#leaving.signal.aborted || isCancelled(error)) return;
      const failure = failureOf(error);
      this.progress.value = { ...this.progress.value, isLoading: false, failure };
      if (!isAway(failure)) return;
      serverAway.value = true;
      setTimeout(() => this.#leaving.signal.aborted || void this.#run(), retryMilliseconds);
    } finally {
      this.#isRunning = false;
    }
  }

  async #loadPage(): Promise<void> {
    const { scopes, state, category } = this.#filter;
    const before = this.progress.value;
    this.progress.value = { ...before, isLoading: true, failure: undefined };
    const { memories: page, nextPageToken } = await memories.listMemories(
      {
        scopes: [...scopes],
        states: [state],
        categories: category === "" ? [] : [category],
        pageSize: before.searched === 0 ? firstPage : laterPages,
        pageToken: this.#pageToken,
      },
      { signal: this.#leaving.signal },
    );
    serverAway.value = false;
    this.#pageToken = nextPageToken;
    const found = this.#sought === "" ? page : page.filter(({ text }) => text.toLowerCase().includes(this.#sought));
    const { rows } = this.progress.value;
    this.progress.value = {
      rows: [...rows, ...found.map((memory) => memoryRow(memory))],
      searched: before.searched + page.length,
      isComplete: nextPageToken === "",
      isLoading: true,
      failure: undefined,
    };
  }
}
