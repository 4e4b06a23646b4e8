import { checkFields, fieldsOf } from "./check-fields.ts";
import { LociError } from "./error.ts";
import { checkIdentifier } from "./identifiers.ts";
import { type Instant, parseInstant } from "./instant.ts";
import { longestTimer } from "./longest-timer.ts";

/** What every method takes besides its request. */
export interface CallOptions {
  /** Stops the work. The method rejects with `CANCELLED`; a write that was not yet committed never happens. */
  readonly signal?: AbortSignal | undefined;
  /** When to give up, in milliseconds since 1970. The method rejects with `DEADLINE_EXCEEDED`. */
  readonly deadline?: Instant | undefined;
  /**
   * Idempotency key of a write, 1 to 200 bytes. The same key with the same request gives the first answer again for
   * 7 days; with another request it is `REQUEST_ID_REUSED`.
   */
  readonly requestId?: string | undefined;
}

const callFields = fieldsOf<CallOptions>({ signal: true, deadline: true, requestId: true });

/**
 * A misspelt `requestId` would silently lose its protection, so unknown fields are refused here too.
 *
 * @throws LociError `INVALID_REQUEST`, `INVALID_INSTANT`, `INVALID_IDENTIFIER`
 */
export function checkCallOptions(options: CallOptions | undefined): void {
  if (options === undefined) return;
  checkFields(options, callFields, "options");
  if (options.signal !== undefined && !(options.signal instanceof AbortSignal))
    throw new LociError("INVALID_REQUEST", {
      message: "options.signal is not an AbortSignal.",
      field: "options.signal",
      advice: "Pass the signal of an AbortController.",
    });
  if (options.deadline !== undefined) parseInstant(options.deadline, "options.deadline");
  if (options.requestId !== undefined) checkIdentifier(options.requestId, "options.requestId");
}

/**
 * Turns `signal` and `deadline` into one signal whose reason is the `LociError` to reject with.
 *
 * The caller must `dispose` it, which clears its timer.
 */
export class CallSignal implements Disposable {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(cancelled(this.#outer?.reason));
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CallOptions | undefined, now: Instant = Date.now()) {
    this.signal = this.#controller.signal;
    this.#outer = options?.signal;
    if (this.#outer?.aborted) this.#onAbort();
    else this.#outer?.addEventListener("abort", this.#onAbort, { once: true });
    const deadline = options?.deadline;
    if (deadline === undefined) return;
    if (deadline <= now) this.#controller.abort(deadlineExceeded());
    // A deadline further away than timers can wait is no deadline.
    else if (deadline - now <= longestTimer)
      this.#timer = setTimeout(() => this.#controller.abort(deadlineExceeded()), deadline - now);
  }

  /** Rejects now if the call is over. */
  throwIfAborted(): void {
    throwIfAborted(this.signal);
  }

  /** Ends the call for a reason that is not its caller's, such as that nothing takes calls any more. */
  abort(reason: LociError): void {
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onAbort);
  }
}

/** Throws the `LociError` a signal was aborted with; a foreign reason becomes `CANCELLED`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw LociError.is(signal.reason) ? signal.reason : cancelled(signal.reason);
}

function cancelled(cause: unknown): LociError {
  if (LociError.is(cause)) return cause;
  return new LociError("CANCELLED", { message: "The call was cancelled by its caller.", cause });
}

function deadlineExceeded(): LociError {
  return new LociError("DEADLINE_EXCEEDED", {
    message: "The call did not finish before its deadline.",
    advice: "Give it more time, or ask for less.",
  });
}
