import { LociError } from "@loci/loci";

/** A call that waits for a place. */
interface WaitingCall {
  readonly enter: () => void;
  readonly refuse: (error: LociError) => void;
}

/**
 * Bounds the work at once. HTTP/2's own limits do not: a client that resets each call as soon as it is sent starts as
 * many as it likes, so a place is kept until the work itself has ended, whether or not the caller is still there.
 *
 * Callers take turns, and when the queue is full the one with the most calls in it makes room: a flood waits behind itself.
 */
export class CallLimit {
  readonly #mostRunning: number;
  readonly #mostQueued: number;
  /** Who waits, each with what waits longest first. The caller whose turn it is comes first. */
  readonly #queues = new Map<string, Set<WaitingCall>>();
  #running = 0;
  #queued = 0;

  constructor(mostRunning: number, mostQueued: number) {
    this.#mostRunning = mostRunning;
    this.#mostQueued = mostQueued;
  }

  get running(): number {
    return this.#running;
  }

  get queued(): number {
    return this.#queued;
  }

  /**
   * Runs the work when a place is free: callers in turn, the calls of one in their order.
   *
   * @throws LociError `TOO_MANY_REQUESTS` when the queue is full and nobody has more calls in it, or gets full and the
   *   caller has the most; what `signal` was aborted with before or while it waited
   */
  async run<Result>(caller: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    if (this.#running < this.#mostRunning) this.#running++;
    else await this.#waitForPlace(caller, signal);
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#leave();
    }
  }

  #waitForPlace(caller: string, signal: AbortSignal): Promise<void> {
    if (this.#queued >= this.#mostQueued) this.#makeRoom(caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = (): void => {
      this.#remove(caller, call);
      reject(signal.reason as Error);
    };
    const ended = (end: () => void): void => {
      signal.removeEventListener("abort", giveUp);
      end();
    };
    const call: WaitingCall = {
      enter: () => ended(resolve),
      refuse: (error) => ended(() => reject(error)),
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.#queues.set(caller, (this.#queues.get(caller) ?? new Set()).add(call));
    this.#queued++;
    return promise;
  }

  /** Refuses the newest call of who has more in the queue than `caller` would have, or the new one. */
  #makeRoom(caller: string): void {
    const busy = new LociError("TOO_MANY_REQUESTS", {
      message: `The server is busy: ${this.#running} calls are at work and ${this.#queued} wait.`,
      advice: "Try again in a moment, with fewer calls at once.",
    });
    const [most, queue] = [...this.#queues].reduce(larger, ["", new Set<WaitingCall>()]);
    const own = this.#queues.get(caller)?.size ?? 0;
    const newest = [...queue].at(-1);
    if (newest === undefined || queue.size <= own + 1) throw busy;
    this.#remove(most, newest);
    newest.refuse(busy);
  }

  /** Hands the place to the caller whose turn it is, who then comes last. */
  #leave(): void {
    const [caller, queue] = this.#queues.entries().next().value ?? ["", new Set<WaitingCall>()];
    const [call] = queue;
    if (call === undefined) {
      this.#running--;
      return;
    }
    this.#remove(caller, call);
    if (this.#queues.delete(caller)) this.#queues.set(caller, queue);
    call.enter();
  }

  #remove(caller: string, call: WaitingCall): void {
    const queue = this.#queues.get(caller);
    if (queue?.delete(call) !== true) return;
    this.#queued--;
    if (queue.size === 0) this.#queues.delete(caller);
  }
}

type Queue = readonly [caller: string, calls: Set<WaitingCall>];

function larger(left: Queue, right: Queue): Queue {
  return right[1].size > left[1].size ? right : left;
}
