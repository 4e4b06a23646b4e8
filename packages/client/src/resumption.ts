import { LociError } from "@loci/domain";

/** How long a stream that was lost may be taken up again. */
export class Resumption {
  readonly #milliseconds: number;
  #hasBegun = false;
  /** When it was noticed, by a clock that nobody sets. */
  #lostAt: number | undefined;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** Whether there is something to go on behind. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** An answer has come. */
  hasCome(): void {
    this.#hasBegun = true;
    this.#lostAt = undefined;
  }

  /**
   * To be asked before each pause.
   *
   * @param error what the last attempt ended with
   * @throws LociError the same reason, when the stream is lost for too long
   */
  checkPause(pause: number, error: LociError): void {
    const now = performance.now();
    this.#lostAt ??= now;
    if (now + pause < this.#lostAt + this.#milliseconds) return;
    const { reason, code, message, resource, details } = error;
    throw new LociError(reason, {
      code,
      message: `The stream was lost, and could not be taken up again within ${this.#milliseconds / 1_000} s: ${message}`,
      resource,
      details,
      advice: "When the server is back, begin again behind the last cursor or id that was told.",
      cause: error,
    });
  }
}
