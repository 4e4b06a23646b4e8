import { CallSignal, type CallOptions, type LociError, throwIfAborted } from "@loci/domain";
import type { Outcome, WriteOperation } from "./write-operation.ts";

type Succeeded = Outcome & { readonly succeeded: true };

/** An operation that is to be written. It can be withdrawn until it leaves. */
export class WaitingWrite {
  readonly operation: WriteOperation;
  readonly #outcome = Promise.withResolvers<Succeeded>();
  /** Only with a deadline: it has a timer. */
  readonly #call: CallSignal | undefined;
  readonly #signal: AbortSignal | undefined;
  #onAbort: (() => void) | undefined;

  /** @throws LociError `CANCELLED` or `DEADLINE_EXCEEDED` when the call is over already */
  constructor(operation: WriteOperation, call: CallOptions | undefined) {
    this.operation = operation;
    throwIfAborted(call?.signal);
    this.#call = call?.deadline === undefined ? undefined : new CallSignal(call);
    this.#signal = this.#call === undefined ? call?.signal : this.#call.signal;
    throwIfAborted(this.#signal);
  }

  /** Rejects as soon as the call is over, if it is heeded or leaves later. */
  get outcome(): Promise<Succeeded> {
    return this.#outcome.promise;
  }

  /**
   * From now on its caller is told at once when the call is over. Not needed for what leaves in the same turn of the event loop: there
   * {@link leave} tells it, and most operations listen to nothing.
   */
  heedCall(): void {
    if (this.#signal === undefined || this.#onAbort !== undefined) return;
    this.#onAbort = () => this.#withdraw();
    this.#signal.addEventListener("abort", this.#onAbort, { once: true });
    if (this.#signal.aborted) this.#withdraw();
  }

  /** From here on the call can no longer be stopped. @returns false when it is over: nothing may be written then */
  leave(): boolean {
    this.#stopHeeding();
    if (this.#signal?.aborted !== true) return true;
    this.#withdraw();
    return false;
  }

  resolve(outcome: Succeeded): void {
    this.#outcome.resolve(outcome);
  }

  reject(error: LociError): void {
    this.#stopHeeding();
    this.#outcome.reject(error);
  }

  #withdraw(): void {
    try {
      throwIfAborted(this.#signal);
    } catch (error) {
      this.reject(error as LociError);
    }
  }

  #stopHeeding(): void {
    this.#call?.[Symbol.dispose]();
    if (this.#onAbort !== undefined) this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}
