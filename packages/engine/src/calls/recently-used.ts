/** How much is kept at most: so many values, and so much of what their sizes are told in. */
export interface RecentlyUsedLimits {
  readonly mostValues: number;
  readonly mostSize: number;
}

interface Sized<Value> {
  readonly value: Value;
  readonly size: number;
}

/** The values that were used last, as many and as large as there is room for. */
export class RecentlyUsed<Value> {
  readonly #limits: RecentlyUsedLimits;
  /** The longest unused first. */
  readonly #kept = new Map<string, Sized<Value>>();
  #size = 0;

  constructor(limits: RecentlyUsedLimits) {
    this.#limits = limits;
  }

  /** Takes a value out: who goes on with it keeps it again, as the one used last. */
  take(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#size -= kept.size;
    return kept.value;
  }

  /** In place of what is there. A value that is larger than all the room is not kept. */
  keep(key: string, value: Value, size: number): void {
    this.take(key);
    const { mostValues, mostSize } = this.#limits;
    if (size > mostSize) return;
    this.#kept.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= mostValues && this.#size <= mostSize) return;
      this.take(oldest);
    }
  }
}
