/**
 * Values that were read lately, each under an owner and a key. Two generations: what is not asked for while the younger
 * one fills up is forgotten. Unlike a list in order of use, a value that is found where it was last costs nothing but the
 * look.
 */
export class RecentlyRead<Key extends string, Value> {
  readonly #maxWeight: number;
  readonly #weightOf: (value: Value) => number;
  /** By owner: to make one key of both would be to build and hash a string at every look. */
  #young = new Map<string, Map<Key, Value>>();
  #old = new Map<string, Map<Key, Value>>();
  #youngWeight = 0;

  /**
   * @param maxWeight of both generations together, in whatever `weightOf` counts
   * @param weightOf gives the same for a value whenever it is asked
   */
  constructor(maxWeight: number, weightOf: (value: Value) => number) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  get(owner: string, key: Key): Value | undefined {
    const young = this.#young.get(owner)?.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(owner)?.get(key);
    if (old !== undefined) this.set(owner, key, old);
    return old;
  }

  /** A value that is there already stays: to replace it, delete it first. */
  set(owner: string, key: Key, value: Value): void {
    if (this.#young.get(owner)?.has(key) === true) return;
    if (2 * this.#youngWeight >= this.#maxWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    let values = this.#young.get(owner);
    if (values === undefined) this.#young.set(owner, (values = new Map<Key, Value>()));
    values.set(key, value);
    this.#youngWeight += this.#weightOf(value);
  }

  delete(owner: string, key: Key): void {
    const young = this.#young.get(owner);
    const value = young?.get(key);
    if (value !== undefined) {
      young?.delete(key);
      this.#youngWeight -= this.#weightOf(value);
    }
    this.#old.get(owner)?.delete(key);
  }

  /** Forgets what is kept under an owner. */
  deleteAll(owner: string): void {
    for (const value of this.#young.get(owner)?.values() ?? []) this.#youngWeight -= this.#weightOf(value);
    this.#young.delete(owner);
    this.#old.delete(owner);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }
}
