import { setImmediate } from "node:timers/promises";

/** UTF-16 units that are read in one turn of the event loop: some milliseconds of work. */
const unitsBetweenRests = 32_768;

/** Lets others have the thread while much text is read. */
export class TextPace {
  #units = 0;

  /** True once so much has been read that others should have their turn: then `rest`. */
  isDue(text: string): boolean {
    this.#units += text.length;
    return this.#units >= unitsBetweenRests;
  }

  async rest(): Promise<void> {
    this.#units = 0;
    await setImmediate();
  }
}
