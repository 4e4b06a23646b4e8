import type { Ref } from "@loci/domain";
import type { IndexRow, RowChange, Tombstone } from "./index-row.ts";
import type { HeadIndex } from "./payload.ts";

/** The newest changes, which are in the log but not in a segment yet: the last of each ref. */
export class IndexHead<Content, Index extends HeadIndex<Content>> {
  readonly index: Index;
  readonly #changes = new Map<Ref, RowChange<Content>>();
  #rows = 0;

  constructor(index: Index) {
    this.index = index;
  }

  /** Live rows and tombstones. */
  get size(): number {
    return this.#changes.size;
  }

  get liveRows(): number {
    return this.#rows;
  }

  find(ref: Ref): RowChange<Content> | undefined {
    return this.#changes.get(ref);
  }

  put(change: RowChange<Content>): void {
    const before = this.#changes.get(change.ref);
    if (before?.scope !== undefined) {
      this.index.remove(before);
      this.#rows--;
    }
    this.#changes.set(change.ref, change);
    if (change.scope === undefined) return;
    this.index.add(change);
    this.#rows++;
  }

  changes(): readonly RowChange<Content>[] {
    return [...this.#changes.values()];
  }

  rows(): IndexRow<Content>[] {
    return [...this.#changes.values()].filter((change) => change.scope !== undefined);
  }

  tombstones(): Tombstone[] {
    return [...this.#changes.values()].filter((change) => change.scope === undefined);
  }
}
