import type { TokenCounter } from "./token-counter.ts";

/** Names a text whose count is worth keeping. The same id and version always mean the same text. */
export interface CountedText {
  readonly id: string;
  /** Changes whenever the text does. */
  readonly version: string | number;
}

export interface TokenCountCacheOptions {
  /** How many counts are kept; the longest unused go first. Default 10,000. */
  readonly maxEntries?: number | undefined;
}

/**
 * Remembers token counts, so that a text that is known by id and version is not read again.
 *
 * One cache serves any number of counters. A text of another length than before is counted again, which catches most
 * ids that were used twice.
 */
export class TokenCountCache {
  readonly #maxEntries: number;
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, { readonly length: number; readonly tokens: number }>();

  constructor(options: TokenCountCacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 10_000;
  }

  /** `counter.count(text)`, from memory if it was counted before. */
  count(counter: TokenCounter, text: string, named: CountedText): number {
    // A length in front of the id keeps ("a", "1:b") and ("a:1", "b") apart.
    const key = `${counter.id}:${named.id.length}:${named.id}:${named.version}`;
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    const entry = known?.length === text.length ? known : { length: text.length, tokens: counter.count(text) };
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#maxEntries) this.#forgetOldest();
    return entry.tokens;
  }

  #forgetOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
