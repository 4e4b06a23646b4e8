import type { TenantId } from "@loci/domain";
import type { Family, LedgerLog } from "@loci/ledger";
import { pause } from "./pause.ts";

/** Lets one reader of the log wait for what comes next, without missing what comes while it reads. */
export class NextCommit implements Disposable {
  readonly #stopListening: () => void;
  #hasCome = false;
  #wake: (() => void) | undefined;

  constructor(log: Pick<LedgerLog, "onCommitted">, tenant: TenantId, family: Family) {
    this.#stopListening = log.onCommitted((committed, _head, families) => {
      if (committed !== tenant || families?.includes(family) === false) return;
      this.#hasCome = true;
      this.#wake?.();
    });
  }

  /** Resolves when something was committed since the last wait, when the time is over, or when the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasCome) {
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      await pause(milliseconds, AbortSignal.any([signal, woken.signal]));
      this.#wake = undefined;
    }
    this.#hasCome = false;
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }
}
