import { randomUUID } from "node:crypto";

/** How many are kept, and how much of them together, in UTF-16 units: the oldest go first. */
const most = 16;
const mostText = 1024 * 1024;

/** Receipts of the contexts that one caller had assembled lately, in the memory of this process alone. */
export class RecentReceipts {
  readonly #texts = new Map<string, string>();
  #length = 0;

  /** @param id what Loci keeps it under, if it does. Default: a new one @returns its id */
  keep(text: string, id: string = randomUUID()): string {
    this.#length -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
    this.#texts.set(id, text);
    this.#length += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#texts.size <= most && this.#length <= mostText) break;
      this.#texts.delete(oldest);
      this.#length -= length;
    }
    return id;
  }

  get(id: string): string | undefined {
    return this.#texts.get(id);
  }

  /** The newest first. */
  ids(): readonly string[] {
    return [...this.#texts.keys()].toReversed();
  }
}
