import type { NewestQuery } from "@loci/ledger";
import type { After, IndexEntry, Range } from "./index-range.ts";
import { rowsPerStep } from "./reading-pace.ts";

/** A range being read page by page. */
export class RangeCursor {
  readonly #range: Range;
  #page: readonly IndexEntry[] = [];
  #index = 0;
  #after: After | undefined;
  #pageSize: number;
  #ended = false;

  constructor(range: Range, { after, limit }: Pick<NewestQuery, "after" | "limit">) {
    this.#range = range;
    this.#after = after;
    this.#pageSize = Math.min(Math.max(limit, 1), rowsPerStep, range.mostAtOnce);
  }

  get head(): IndexEntry | undefined {
    return this.#page[this.#index];
  }

  get needsPage(): boolean {
    return !this.#ended && this.#index >= this.#page.length;
  }

  advance(): void {
    this.#index++;
  }

  /** Later pages are larger: most queries end within the first, and the others pass over much. */
  readPage(): void {
    this.#page = this.#range.read(this.#after, this.#pageSize);
    this.#index = 0;
    this.#ended = this.#page.length < this.#pageSize;
    const last = this.#page.at(-1);
    if (last !== undefined) this.#after = { createdAt: last.created_at, ref: last.ref };
    this.#pageSize = this.#range.mostAtOnce;
  }
}
