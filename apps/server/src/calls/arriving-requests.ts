import { LociError } from "@loci/loci";

interface ArrivingRequest {
  readonly begin: () => void;
  readonly onLate: (error: LociError) => void;
  late?: NodeJS.Timeout;
}

interface Arriving {
  readonly now: Set<ArrivingRequest>;
  /** In their order. */
  readonly waiting: Set<ArrivingRequest>;
}

/**
 * Bounds how many requests of one caller are read at once: each may be as large as requests may be, and who sends all of it but the last
 * byte has the server keep it. Others of that caller are not read meanwhile, so that they wait at its end of the connection.
 *
 * Nobody waits for another caller.
 */
export class ArrivingRequests {
  readonly #mostOfOne: number;
  readonly #patienceMilliseconds: number;
  readonly #callers = new Map<string, Arriving>();

  /** @param patienceMilliseconds for the whole of a request to come, from when it is read */
  constructor(mostOfOne: number, patienceMilliseconds: number) {
    this.#mostOfOne = mostOfOne;
    this.#patienceMilliseconds = patienceMilliseconds;
  }

  /**
   * Has a request read as soon as there is room.
   *
   * @param begin reads it
   * @param onLate told when it takes too long; it is not waited for any longer
   * @returns to be called when it has come, or its call is over; more than once does no harm
   */
  enter(caller: string, begin: () => void, onLate: (error: LociError) => void): () => void {
    let arriving = this.#callers.get(caller);
    if (arriving === undefined) this.#callers.set(caller, (arriving = { now: new Set(), waiting: new Set() }));
    const request: ArrivingRequest = { begin, onLate };
    if (arriving.now.size < this.#mostOfOne) this.#begin(caller, arriving, request);
    else arriving.waiting.add(request);
    return () => this.#leave(caller, request);
  }

  #begin(caller: string, { now }: Arriving, request: ArrivingRequest): void {
    now.add(request);
    request.late = setTimeout(() => {
      this.#leave(caller, request);
      request.onLate(
        new LociError("DEADLINE_EXCEEDED", {
          message: `The request did not come within ${this.#patienceMilliseconds / 1_000} s.`,
          advice: "Send it at once, or less of it over a slow connection.",
        }),
      );
    }, this.#patienceMilliseconds);
    request.begin();
  }

  #leave(caller: string, request: ArrivingRequest): void {
    const arriving = this.#callers.get(caller);
    clearTimeout(request.late);
    if (arriving === undefined || arriving.waiting.delete(request) || !arriving.now.delete(request)) return;
    const [next] = arriving.waiting;
    if (next !== undefined) {
      arriving.waiting.delete(next);
      this.#begin(caller, arriving, next);
    } else if (arriving.now.size === 0) this.#callers.delete(caller);
  }
}
