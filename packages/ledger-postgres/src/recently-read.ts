/** How long a generation takes in values. So none is kept for longer than twice that, in milliseconds. */
const generationMilliseconds = 5 * 60_000;

export interface RecentlyReadOptions<Value> {
  /** Of both generations together, in whatever `weightOf` counts. */
  readonly mostWeight: number;
  readonly weightOf: (value: Value) => number;
  /** Milliseconds of a clock that is never set. */
  readonly now?: (() => number) | undefined;
}

/**
 * Values that were read lately, each under an owner and a key. They are such as never change, and are only removed, by a purge.
 * One here forgets all; one by another server is not heard of, so what is kept also ends with time.
 */
export class RecentlyRead<Key extends string, Value> {
  readonly #options: RecentlyReadOptions<Value>;
  readonly #now: () => number;
  #young = new Map<string, Map<Key, Value>>();
  #old = new Map<string, Map<Key, Value>>();
  #youngWeight = 0;
  #youngSince: number;
  #purges = 0;

  constructor({ now = () => performance.now(), ...options }: RecentlyReadOptions<Value>) {
    this.#options = options;
    this.#now = now;
    this.#youngSince = now();
  }

  /** Changes with every purge: what was read before one may be among what that took, and is not to be kept. */
  get purges(): number {
    return this.#purges;
  }

  /** Those of the values that are kept. */
  get(owner: string, keys: readonly Key[]): Map<Key, Value> {
    this.#age();
    const [young, old] = [this.#young.get(owner), this.#old.get(owner)];
    const found = new Map<Key, Value>();
    if (young === undefined && old === undefined) return found;
    for (const key of keys) {
      const value = young?.get(key) ?? old?.get(key);
      if (value !== undefined) found.set(key, value);
    }
    return found;
  }

  /** In place of what is there. */
  set(owner: string, key: Key, value: Value): void {
    const { mostWeight, weightOf } = this.#options;
    if (2 * this.#youngWeight >= mostWeight) this.#begin();
    let own = this.#young.get(owner);
    if (own === undefined) this.#young.set(owner, (own = new Map<Key, Value>()));
    const former = own.get(key);
    if (former !== undefined) this.#youngWeight -= weightOf(former);
    own.set(key, value);
    this.#youngWeight += weightOf(value);
  }

  /** All of it: some was, or is about to be, purged. */
  forget(): void {
    this.#purges++;
    this.#begin();
    this.#old = new Map();
  }

  #age(): void {
    const age = this.#now() - this.#youngSince;
    if (age >= generationMilliseconds) this.#begin();
    if (age >= 2 * generationMilliseconds) this.#old = new Map();
  }

  #begin(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngWeight = 0;
    this.#youngSince = this.#now();
  }
}
