import { signal } from "@preact/signals";
import { type Memory, MemoryState } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { type Failure, failureOf, isAway, isCancelled } from "../../api/failure.ts";
import { serverAway } from "../../state/server-away.ts";
import type { IdList } from "./id-list.ts";
import { type MemoryRow, memoryRow, missingRow } from "./memory-row.ts";

/** Rows are loaded and let go of by blocks of so many. */
const rowsInBlock = 64;
/** So many blocks are kept: some thousand rows. */
const mostBlocks = 64;
/** Nothing of a row is longer. */
const textBytes = 720;
/** Who scrolls fast passes by what he does not look at. */
const settleMilliseconds = 50;
const retryMilliseconds = 2_000;

/** The rows that are looked at, and those around them, of a list of any length. */
export class LoadedRows {
  /** Grows when a row is another one than it was. */
  readonly revision = signal(0);
  readonly failure = signal<Failure | undefined>(undefined);
  readonly #ids: IdList;
  readonly #leaving = new AbortController();
  readonly #blocks = new Map<number, (MemoryRow | undefined)[]>();
  #wanted: readonly number[] = [];
  #running: { readonly blocks: readonly number[]; readonly ending: AbortController } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ids: IdList) {
    this.#ids = ids;
  }

  /** Undefined: it is not loaded yet. */
  at(index: number): MemoryRow | undefined {
    return this.#blocks.get(Math.floor(index / rowsInBlock))?.[index % rowsInBlock];
  }

  /** Loads the rows in view, the block behind them, and the row that is active, wherever it is. */
  want(first: number, last: number, active: number): void {
    const begin = Math.floor(first / rowsInBlock);
    const end = Math.min(Math.floor(last / rowsInBlock) + 1, Math.floor((this.#ids.total - 1) / rowsInBlock));
    const isNear = this.#wanted.length === 0 || this.#wanted.includes(begin);
    const inView = Array.from({ length: Math.max(0, end - begin + 1) }, (_, index) => begin + index);
    this.#wanted = [...new Set([...inView, Math.floor(active / rowsInBlock)])];
    if (this.#running?.blocks.some((block) => this.#wanted.includes(block)) === false) this.#running.ending.abort();
    clearTimeout(this.#timer);
    if (isNear) void this.#run();
    else this.#timer = setTimeout(() => void this.#run(), settleMilliseconds);
  }

  /** To be told when more ids have come: rows may wait for them. */
  idsCame(): void {
    void this.#run();
  }

  /** Shows what a memory has become. */
  put(index: number, memory: Memory | undefined): void {
    const block = this.#blocks.get(Math.floor(index / rowsInBlock));
    if (block === undefined) return;
    const before = block[index % rowsInBlock];
    const row = memory === undefined ? before && { ...before, state: MemoryState.DELETED } : memoryRow(memory);
    block[index % rowsInBlock] = row;
    this.revision.value++;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#leaving.abort();
  }

  async #run(): Promise<void> {
    if (this.#running !== undefined || this.#leaving.signal.aborted) return;
    const blocks = this.#wanted.filter((block) => !this.#blocks.has(block) && this.#isKnown(block)).slice(0, 4);
    const numbers = blocks.flatMap((block) =>
      Array.from({ length: rowsInBlock }, (_, index) => block * rowsInBlock + index),
    );
    const ids = numbers.flatMap((number) => this.#ids.at(number) ?? []);
    if (ids.length === 0) return;
    const ending = new AbortController();
    this.#running = { blocks, ending };
    try {
      const signal = AbortSignal.any([ending.signal, this.#leaving.signal]);
      const found = await readRows(ids, signal);
      for (const block of blocks) this.#keep(block, found);
      serverAway.value = false;
      this.failure.value = undefined;
      this.revision.value++;
    } catch (error) {
      if (this.#leaving.signal.aborted) return;
      if (!ending.signal.aborted && !isCancelled(error)) return this.#failed(failureOf(error));
    } finally {
      this.#running = undefined;
    }
    void this.#run();
  }

  /** Whether all ids of a block have come. */
  #isKnown(block: number): boolean {
    return this.#ids.at(Math.min((block + 1) * rowsInBlock, this.#ids.total) - 1) !== undefined;
  }

  #keep(block: number, found: ReadonlyMap<string, MemoryRow>): void {
    const rows = Array.from({ length: rowsInBlock }, (_, index) => {
      const id = this.#ids.at(block * rowsInBlock + index);
      return id === undefined ? undefined : (found.get(id) ?? missingRow(id));
    });
    this.#blocks.set(block, rows);
    // The one that was loaded longest ago, unless it is looked at.
    for (const old of this.#blocks.keys()) {
      if (this.#blocks.size <= mostBlocks) break;
      if (!this.#wanted.includes(old)) this.#blocks.delete(old);
    }
  }

  #failed(failure: Failure): void {
    this.failure.value = failure;
    if (!isAway(failure)) return;
    serverAway.value = true;
    this.#timer = setTimeout(() => void this.#run(), retryMilliseconds);
  }
}

async function readRows(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, MemoryRow>> {
  const rows = new Map<string, MemoryRow>();
  for (let rest = ids; rest.length > 0;) {
    const { memories: some, unreadIds } = await memories.batchGetMemories(
      { ids: [...rest], textBytes, withDeleted: true },
      { signal },
    );
    for (const memory of some) rows.set(memory.id, memoryRow(memory));
    rest = unreadIds;
  }
  return rows;
}
