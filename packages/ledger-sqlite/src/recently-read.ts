/**
 * Values that were read lately and never change. Two generations: what is not asked for while the younger one fills up is
 * forgotten. Unlike a list in order of use, a value that is found where it was last costs nothing but the look.
 */
export class RecentlyRead<Value> {
  readonly #maxWeight: number;
  readonly #weightOf: (value: Value) => number;
  #young = new Map<string, Value>();
  #old = new Map<string, Value>();
  #youngWeight = 0;

  /** @param maxWeight of both generations together, in whatever `weightOf` counts */
  constructor(maxWeight: number, weightOf: (value: Value) => number) {
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: Value): void {
    if (this.#young.has(key)) return;
    if (2 * this.#youngWeight >= this.#maxWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngWeight = 0;
    }
    this.#young.set(key, value);
    this.#youngWeight += this.#weightOf(value);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#youngWeight = 0;
  }
}
