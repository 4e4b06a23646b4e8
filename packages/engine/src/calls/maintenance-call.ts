import { type Instant, type MaintenanceProgress, type Principal, throwIfAborted } from "@loci/domain";

/** What a job is run with: when to stop, and whom to tell how far it has come. */
export interface MaintenanceCall {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: MaintenanceProgress) => void) | undefined;
}

/** A job that goes through what a principal's scope patterns cover. */
export interface JobCall extends MaintenanceCall {
  readonly principal: Principal;
  /** True when it only says what it would do. */
  readonly dryRun: boolean;
  /** What it takes for the present. */
  readonly now: Instant;
}

/** Counts what a job has done, and tells of it at most ten times a second, besides its first step and its end. */
export class ProgressMeter {
  readonly #activity: string;
  readonly #call: MaintenanceCall;
  readonly #start = performance.now();
  #first: number | undefined;
  #told = -Infinity;
  #toldDone = 0;
  #done = 0;

  constructor(activity: string, call: MaintenanceCall) {
    this.#activity = activity;
    this.#call = call;
  }

  /** @throws LociError when the call is over: to be called at every step. */
  add(count: number, total?: number): void {
    this.set(this.#done + count, total);
  }

  /** The same with the sum instead of what came since. What was done before the first call does not count for the rate. */
  set(done: number, total?: number): void {
    throwIfAborted(this.#call.signal);
    this.#done = done;
    this.#first ??= done;
    const now = performance.now();
    // A short job would otherwise end before anybody heard that it had come some way.
    const isFirstStep = this.#toldDone === 0 && done > 0;
    if (now - this.#told < 100 && done !== total && !isFirstStep) return;
    this.#told = now;
    this.#toldDone = done;
    const seconds = Math.max((now - this.#start) / 1_000, 1e-3);
    this.#call.onProgress?.({
      activity: this.#activity,
      done,
      total: total === undefined ? undefined : Math.max(total, done),
      ratePerSecond: (done - this.#first) / seconds,
    });
  }
}
