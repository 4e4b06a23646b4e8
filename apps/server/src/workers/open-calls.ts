import type { ServerHttp2Stream } from "node:http2";

/** The calls under way. */
export class OpenCalls {
  #count = 0;
  #lastEnded = performance.now();

  add(call: ServerHttp2Stream): void {
    this.#count += 1;
    call.once("close", () => {
      this.#count -= 1;
      this.#lastEnded = performance.now();
    });
  }

  /** How long there has been none, in milliseconds. */
  get idleMilliseconds(): number {
    return this.#count > 0 ? 0 : performance.now() - this.#lastEnded;
  }
}
