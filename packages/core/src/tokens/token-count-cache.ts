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

interface Entry {
  readonly length: number;
  readonly tokens: number;
  /** When it was put at the end, in uses of the cache. */
  movedAt: number;
}

/** An entry stays where it is when it was moved within the last uses, this share of all entries. */
const restingShare = 1 / 2;
/** Tags, roles and the like: few, and counted over and over. */
const maxShortTexts = 2_000;

/**
 * Remembers token counts, so that a text that is known by id and version is not read again.
 *
 * One cache serves any number of counters. A text of another length than before is counted again, which catches most
 * ids that were used twice.
 */
export class TokenCountCache {
  readonly #maxEntries: number;
  /** Nearly in order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry>();
  /** Goes along as the oldest are forgotten: a new one would pass over the places of all that moved to the end. */
  #oldest = this.#entries.keys();
  #uses = 0;
  /** By counter and text. */
  readonly #short = new Map<string, Map<string, number>>();

  constructor(options: TokenCountCacheOptions = {}) {
    this.#maxEntries = options.maxEntries ?? 10_000;
  }

  /** `counter.count(text)`, from memory if it was counted before. */
  count(counter: TokenCounter, text: string, named: CountedText): number {
    // A length in front of the id keeps ("a", "1:b") and ("a:1", "b") apart.
    const key = `${counter.id}:${named.id.length}:${named.id}:${named.version}`;
    const known = this.#entries.get(key);
    const now = ++this.#uses;
    const isKnown = known?.length === text.length;
    if (isKnown && now - known.movedAt <= this.#maxEntries * restingShare) return known.tokens;
    this.#entries.delete(key);
    const entry = isKnown ? known : { length: text.length, tokens: counter.count(text), movedAt: now };
    entry.movedAt = now;
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#maxEntries) this.#forgetOldest();
    return entry.tokens;
  }

  /** `counter.count(text)` of a short text, which is its own name. */
  countShort(counter: TokenCounter, text: string): number {
    const known = this.#short.get(counter.id)?.get(text);
    if (known !== undefined) return known;
    const texts = this.#short.get(counter.id) ?? new Map<string, number>();
    this.#short.set(counter.id, texts);
    if (texts.size >= maxShortTexts) texts.clear();
    const tokens = counter.count(text);
    texts.set(text, tokens);
    return tokens;
  }

  #forgetOldest(): void {
    let next = this.#oldest.next();
    if (next.done === true) {
      this.#oldest = this.#entries.keys();
      next = this.#oldest.next();
    }
    if (next.done !== true) this.#entries.delete(next.value);
  }
}
