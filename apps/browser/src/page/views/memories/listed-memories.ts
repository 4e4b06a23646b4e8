import { signal } from "@preact/signals";
import { MemoryState } from "@loci/api-web";
import { memories } from "../../api/calls.ts";
import { type Failure, failureOf, isAway, isCancelled } from "../../api/failure.ts";
import { serverAway } from "../../state/server-away.ts";
import { followChanges } from "./followed-changes.ts";
import { IdList } from "./id-list.ts";
import { LoadedRows } from "./loaded-rows.ts";
import { isListed, type MemoryFilter, scopesOf } from "./memory-filter.ts";
import { RowSelection } from "./row-selection.ts";

/** How far a list is. */
interface ListProgress {
  /** Undefined: it is not known yet. */
  readonly total: number | undefined;
  readonly failure: Failure | undefined;
}

const retryMilliseconds = 2_000;
/** A list of millions is made by reading each of them. */
const listMilliseconds = 10 * 60_000;

/**
 * All memories of a filter: their ids, and the rows that are looked at. A row keeps its place, whatever becomes of its memory; what
 * has come to be meanwhile is counted, and is in the next list.
 */
export class ListedMemories {
  readonly progress = signal<ListProgress>({ total: undefined, failure: undefined });
  /** The ids that are in the list no earlier than when it is made again. */
  readonly added = signal<ReadonlySet<string>>(new Set());
  /** Nothing is known of what happened since the list was made. */
  readonly isOld = signal(false);
  readonly ids: IdList = new IdList();
  readonly rows: LoadedRows;
  readonly selection: RowSelection = new RowSelection();
  readonly filter: MemoryFilter;
  readonly #leaving = new AbortController();

  constructor(filter: MemoryFilter) {
    this.filter = filter;
    this.rows = new LoadedRows(this.ids);
    void this.#run();
  }

  retry(): void {
    void this.#run();
  }

  close(): void {
    this.#leaving.abort();
    this.rows.close();
  }

  async #run(): Promise<void> {
    try {
      this.progress.value = { ...this.progress.value, failure: undefined };
      const cursor = await this.#load();
      serverAway.value = false;
      // Of what is not active no more is told than that it was removed.
      if (cursor !== undefined && this.filter.state === MemoryState.ACTIVE) void this.#follow(cursor);
    } catch (error) {
      if (this.#leaving.signal.aborted || isCancelled(error)) return;
      const failure = failureOf(error);
      this.progress.value = { ...this.progress.value, failure };
      if (!isAway(failure)) return;
      serverAway.value = true;
      setTimeout(() => this.#leaving.signal.aborted || void this.#run(), retryMilliseconds);
    }
  }

  async #load(): Promise<string | undefined> {
    const { state, category, find, where, order } = this.filter;
    const categories = category === "" ? [] : [category];
    const text = find === "" ? undefined : find;
    const request = { ...scopesOf(this.filter), states: [state], categories, text, where, orderBy: order };
    let since: string | undefined;
    const options = { signal: this.#leaving.signal, timeoutMs: listMilliseconds };
    for await (const { ids, offset, total, cursor } of memories.listMemoryIds(request, options)) {
      this.ids.put(ids, Number(offset), Number(total));
      if (offset === 0n) {
        this.selection.begin(Number(total));
        this.progress.value = { total: Number(total), failure: undefined };
      }
      this.rows.idsCame();
      since = cursor;
    }
    return since;
  }

  #follow(cursor: string): Promise<void> {
    const added = (id: string, isThere: boolean): void => {
      if (this.added.value.has(id) === isThere) return;
      const ids = new Set(this.added.value);
      if (isThere) ids.add(id);
      else ids.delete(id);
      this.added.value = ids;
    };
    return followChanges(
      this.filter,
      cursor,
      {
        written: (memory) => {
          const index = this.ids.indexOf(memory.id);
          if (index >= 0) this.rows.put(index, memory);
          else if (!isListed(this.filter, memory)) return;
          // Whether its fields are as wanted the server knows.
          else if (this.filter.where !== undefined) this.isOld.value = true;
          else added(memory.id, true);
        },
        removed: (id) => {
          const index = this.ids.indexOf(id);
          if (index >= 0) this.rows.put(index, undefined);
          else added(id, false);
        },
        lost: () => (this.isOld.value = true),
      },
      this.#leaving.signal,
    );
  }
}
