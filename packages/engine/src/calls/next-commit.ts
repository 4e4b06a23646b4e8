import type { TenantId } from "@loci/domain";
import type { Family, LedgerLog } from "@loci/ledger";
import { Notifier } from "./notifier.ts";
import { pause } from "./pause.ts";

/** Lets one reader of the log wait for what comes next, without missing what comes while it reads. */
export class NextCommit implements Disposable {
  readonly #stopListening: () => void;
  readonly #commits = new Notifier();
  #hasCome = false;

  constructor(log: Pick<LedgerLog, "onCommitted">, tenant: TenantId, family: Family) {
    this.#stopListening = log.onCommitted((committed, _head, families) => {
      if (committed !== tenant || families?.includes(family) === false) return;
      this.#hasCome = true;
      this.#commits.notify();
    });
  }

  /** Resolves when something was committed since the last wait, when the time is over, or when the signal aborts. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasCome) await pause(milliseconds, signal, this.#commits);
    this.#hasCome = false;
  }

  [Symbol.dispose](): void {
    this.#stopListening();
  }
}
