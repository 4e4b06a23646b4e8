import type { Ref } from "@loci/domain";
import type { IndexRow } from "../segments/index-row.ts";
import type { RefTable } from "../segments/ref-table.ts";
import type { TextContent } from "./text-content.ts";
import type { PostingRange, TextPayload } from "./text-payload.ts";

/** The texts of a segment, and where in it the terms of a search stand. */
export interface SearchedTexts {
  readonly refs: RefTable;
  readonly payload: TextPayload;
  readonly ranges: readonly PostingRange[];
}

/** A row that was found, in a segment or in the head. */
export interface FoundText {
  readonly source: SearchedTexts | IndexRow<TextContent>;
  /** Its place in the segment, or its number in the head. */
  readonly entry: number;
  readonly score: number;
}

/** Keeps the best `limit` of the rows offered: by score downwards, then by ref. A binary heap, the worst on top. */
export class BestTexts {
  readonly #limit: number;
  readonly #heap: FoundText[] = [];
  /** Rows of a lower score are not kept. */
  threshold: number = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(text: FoundText): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) this.#rise(text);
    else if (isBetter(text, heap[0] as FoundText)) this.#sink(text);
    if (heap.length === this.#limit) this.threshold = (heap[0] as FoundText).score;
  }

  /** The rows kept, best first. */
  sorted(): readonly FoundText[] {
    return this.#heap.toSorted((left, right) => (isBetter(left, right) ? -1 : 1));
  }

  #rise(text: FoundText): void {
    const heap = this.#heap;
    let child = heap.push(text) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBetter(heap[parent] as FoundText, text)) break;
      heap[child] = heap[parent] as FoundText;
      child = parent;
    }
    heap[child] = text;
  }

  #sink(text: FoundText): void {
    const heap = this.#heap;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBetter(heap[child] as FoundText, heap[child + 1] as FoundText)) child++;
      if (isBetter(heap[child] as FoundText, text)) break;
      heap[parent] = heap[child] as FoundText;
      parent = child;
    }
    heap[parent] = text;
  }
}

function isBetter(left: FoundText, right: FoundText): boolean {
  if (left.score !== right.score) return left.score > right.score;
  // Equal scores are frequent. Bytes of refs sort as their texts do.
  if ("refs" in left.source && "refs" in right.source)
    return left.source.refs.isBefore(left.entry, right.source.refs, right.entry);
  return refOf(left) < refOf(right);
}

function refOf({ source, entry }: FoundText): Ref {
  return "refs" in source ? source.refs.ref(entry) : source.ref;
}
