import type { Ref, Sequence } from "@loci/domain";
import type { RowHead } from "./records.ts";

/** A batch that was written: visible once reads have seen its number in the namespace's log. */
interface WaitingBatch {
  readonly through: Sequence;
  readonly written: number;
  readonly heads: readonly RowHead[];
}

/** How long a checkpoint that nobody here has moved is believed: another server may be draining. */
const rereadAfter = 1_000;

/**
 * What this process has written for one tenant and reads may not show yet. Reads of Pinecone lag behind its writes, so the
 * next batch is planned from what was written, not from what can be read.
 */
export class TenantLog {
  readonly #waiting: WaitingBatch[] = [];
  readonly #heads = new Map<Ref, RowHead>();
  /** Of rows that a batch which failed may have written: how many records there may be of each. */
  readonly #attempted = new Map<Ref, number>();
  #visible: Sequence = 0;
  #readAt = -Infinity;
  #queue: Promise<unknown> = Promise.resolve();

  /** Runs one piece of work after the other. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const run = this.#queue.then(work, work);
    this.#queue = run.catch(() => undefined);
    return run;
  }

  /** How far the log has been applied, seen or not. */
  get written(): Sequence {
    return Math.max(this.#visible, this.#waiting.at(-1)?.through ?? 0);
  }

  get visible(): Sequence {
    return this.#visible;
  }

  /** Whether reading the checkpoint again may bring news. */
  isStale(now: number): boolean {
    return this.#waiting.length > 0 || now - this.#readAt > rereadAfter;
  }

  /** A row as it was last written here, while reads may not show it. */
  head(ref: Ref): RowHead | undefined {
    return this.#heads.get(ref);
  }

  /** How many records there may be of a row besides those that its head tells of. */
  attempted(ref: Ref): number {
    return this.#attempted.get(ref) ?? 0;
  }

  /** Notes what is about to be written. A batch may fail when some of it was. */
  attempts(heads: readonly RowHead[]): void {
    for (const { ref, records } of heads) this.#attempted.set(ref, Math.max(records, this.attempted(ref)));
  }

  /** @param written the last number of the batch; a service that gives none is believed only by what it shows */
  wrote(through: Sequence, written: number | undefined, heads: readonly RowHead[]): void {
    this.#waiting.push({ through, written: written ?? Infinity, heads });
    for (const head of heads) {
      this.#heads.set(head.ref, head);
      this.#attempted.delete(head.ref);
    }
  }

  /** Notes what a read has shown. */
  saw(checkpoint: Sequence | undefined, seen: number | undefined, now: number): void {
    this.#readAt = now;
    this.#visible = Math.max(this.#visible, checkpoint ?? 0);
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (next.written > (seen ?? -1) && next.through > this.#visible) return;
      this.#visible = Math.max(this.#visible, next.through);
      for (const head of next.heads) if (this.#heads.get(head.ref) === head) this.#heads.delete(head.ref);
      this.#waiting.shift();
    }
  }
}
