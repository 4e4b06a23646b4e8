import type { Instant } from "@loci/domain";

export interface RecentVector {
  readonly vector: Float32Array;
  readonly expiresAt: Instant;
}

/** The first layer: the vectors used last, each for a limited time. */
export class RecentVectors {
  readonly #limit: number;
  readonly #timeToLive: number;
  readonly #clock: () => Instant;
  /** Least recently used first. */
  readonly #entries = new Map<string, RecentVector>();

  /** @param timeToLive in milliseconds, from when the vector was set */
  constructor(limit: number, timeToLive: number, clock: () => Instant) {
    this.#limit = limit;
    this.#timeToLive = timeToLive;
    this.#clock = clock;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Float32Array | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expiresAt <= this.#clock()) return undefined;
    this.#entries.set(key, entry);
    return entry.vector;
  }

  set(key: string, vector: Float32Array): void {
    this.restore(key, { vector, expiresAt: this.#clock() + this.#timeToLive });
  }

  /** Puts an entry of an earlier run back. It lives no longer than one that is set now. */
  restore(key: string, { vector, expiresAt }: RecentVector): void {
    const now = this.#clock();
    if (expiresAt <= now || this.#limit === 0) return;
    this.#entries.delete(key);
    this.#entries.set(key, { vector, expiresAt: Math.min(expiresAt, now + this.#timeToLive) });
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value ?? key);
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Live entries, least recently used first. */
  entries(): readonly (readonly [string, RecentVector])[] {
    const now = this.#clock();
    return [...this.#entries].filter(([, { expiresAt }]) => expiresAt > now);
  }
}
