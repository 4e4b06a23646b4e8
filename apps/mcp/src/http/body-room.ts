/** Bodies of requests that are kept, in bytes. Who sends all of one but the last byte has it kept until the time for it is over. */
const mostBytes = 128 * 1024 * 1024;

/** What is kept of requests: one caller gets at most half of what there is. */
export class BodyRoom {
  readonly #most: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(most: number = mostBytes) {
    this.#most = most;
  }

  /** @returns whether there was as much left for the caller; if not, nothing was taken */
  take(caller: string, bytes: number): boolean {
    const taken = (this.#taken.get(caller) ?? 0) + bytes;
    if (taken > this.#most / 2 || this.#total + bytes > this.#most) return false;
    this.#taken.set(caller, taken);
    this.#total += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(caller: string, bytes: number): void {
    const left = (this.#taken.get(caller) ?? 0) - bytes;
    if (left > 0) this.#taken.set(caller, left);
    else this.#taken.delete(caller);
    this.#total -= bytes;
  }
}
