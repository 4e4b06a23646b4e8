import type { StoredRecord } from "./record.ts";

type Write = (records: Map<string, StoredRecord>) => void;

/** Records of one namespace: written at once, seen later, in the order of their log sequence numbers. */
export class Namespace {
  readonly #visibilityDelay: number;
  readonly #visible = new Map<string, StoredRecord>();
  readonly #waiting: { readonly sequence: number; readonly seenFrom: number; readonly write: Write }[] = [];
  #lastSequence = 0;
  #indexedSequence = 0;

  /** @param visibilityDelay milliseconds from a write until reads see it */
  constructor(visibilityDelay: number) {
    this.#visibilityDelay = visibilityDelay;
  }

  /** @returns the write's log sequence number */
  write(write: Write): number {
    const sequence = ++this.#lastSequence;
    this.#waiting.push({ sequence, seenFrom: performance.now() + this.#visibilityDelay, write });
    return sequence;
  }

  /** What reads see now, and up to which write that is. */
  read(): { readonly records: ReadonlyMap<string, StoredRecord>; readonly indexedSequence: number } {
    const now = performance.now();
    for (let next = this.#waiting[0]; next !== undefined && next.seenFrom <= now; next = this.#waiting[0]) {
      next.write(this.#visible);
      this.#indexedSequence = next.sequence;
      this.#waiting.shift();
    }
    return { records: this.#visible, indexedSequence: this.#indexedSequence };
  }
}
