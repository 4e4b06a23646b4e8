/** Something the server has a certain amount of, such as open calls: one caller gets at most half of it. */
export class SharedAmount {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
    this.#mostOfOne = Math.ceil(most / 2);
  }

  /** What all callers have taken. */
  get total(): number {
    return this.#total;
  }

  /** @returns whether there was as much left for the caller; if not, nothing was taken */
  take(caller: string, amount: number): boolean {
    const taken = (this.#taken.get(caller) ?? 0) + amount;
    if (taken > this.#mostOfOne || this.#total + amount > this.#most) return false;
    this.add(caller, amount);
    return true;
  }

  /** Takes what cannot be refused any more, however much is left. */
  add(caller: string, amount: number): void {
    this.#taken.set(caller, (this.#taken.get(caller) ?? 0) + amount);
    this.#total += amount;
  }

  /** Gives back what was taken. */
  give(caller: string, amount: number): void {
    const left = (this.#taken.get(caller) ?? 0) - amount;
    if (left > 0) this.#taken.set(caller, left);
    else this.#taken.delete(caller);
    this.#total -= amount;
  }
}
