import { setImmediate } from "node:timers/promises";

/** UTF-16 units that are read in one turn of the event loop: some milliseconds of work. */
const unitsBetweenRests = 16_384;

/** Lets others have the thread while much text is read. */
export class TextPace {
  readonly #turn: () => Promise<unknown> | undefined;
  #units = 0;

  /** @param turn resolves when the thread may be used again. Default: after others had it once */
  constructor(turn: () => Promise<unknown> | undefined = setImmediate) {
    this.#turn = turn;
  }

  /** True once so much has been read that others should have their turn: then `rest`. */
  isDue(text: string): boolean {
    this.#units += text.length;
    return this.#units >= unitsBetweenRests;
  }

  async rest(): Promise<void> {
    this.#units = 0;
    await this.#turn();
  }
}
