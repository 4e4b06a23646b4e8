import { signal } from "@preact/signals";

/** Which rows of a list are chosen, by their places, which do not change. */
export class RowSelection {
  readonly count = signal(0);
  #chosen = new Uint8Array(0);
  /** Where a stretch begins. */
  #from = 0;

  /** For a list of so many rows, none of them chosen. */
  begin(total: number): void {
    this.#chosen = new Uint8Array(total);
    this.#from = 0;
    this.count.value = 0;
  }

  has(index: number): boolean {
    return this.#chosen[index] === 1;
  }

  /** Chooses a row, or lets go of it. */
  toggle(index: number): void {
    const isChosen = this.has(index);
    this.#chosen[index] = isChosen ? 0 : 1;
    this.#from = index;
    this.count.value += isChosen ? -1 : 1;
  }

  /** Chooses all rows from the one that was chosen last to this one. */
  extendTo(index: number): void {
    this.#chosen.fill(1, Math.min(this.#from, index), Math.max(this.#from, index) + 1);
    this.#recount();
  }

  all(): void {
    this.#chosen.fill(1);
    this.#recount();
  }

  none(): void {
    this.begin(this.#chosen.length);
  }

  /** The places of the chosen rows, in order. */
  *places(): Generator<number, void, undefined> {
    for (let index = this.#chosen.indexOf(1); index >= 0; index = this.#chosen.indexOf(1, index + 1)) yield index;
  }

  #recount(): void {
    let count = 0;
    for (const one of this.#chosen) count += one;
    this.count.value = count;
  }
}
