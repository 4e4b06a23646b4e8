import type { Ref, TenantId } from "@loci/domain";
import { captureFamily, type LedgerLog } from "@loci/ledger";
import { Notifier } from "../calls/notifier.ts";
import { pause } from "../calls/pause.ts";
import type { CaptureRunner } from "./capture-runner.ts";

/** Which capture is waited for, and what tells of it. */
export interface FollowedCaptureOptions {
  readonly captureRunner: Pick<CaptureRunner, "listen">;
  readonly ledger: Pick<LedgerLog, "onCommitted">;
  readonly tenant: TenantId;
  readonly ref: Ref;
}

/** Messages between servers may be lost. In milliseconds. */
const longestWait = 2_000;
/** Commits do not say of which capture they are: where many are at work, each one that waits reads no more often. In milliseconds. */
const shortestWait = 100;

/**
 * Lets somebody wait until a capture may have come to another state, without missing what comes while they read it. This process's
 * own work on it is told at once, that of other servers by their commits.
 */
export class FollowedCapture implements Disposable {
  readonly #own = new Notifier();
  readonly #any = new Notifier();
  readonly #stopListening: readonly (() => void)[];
  #isTold = false;
  #mayHaveChanged = false;

  /** From now on nothing is missed. */
  constructor({ captureRunner, ledger, tenant, ref }: FollowedCaptureOptions) {
    this.#stopListening = [
      captureRunner.listen(ref, () => {
        this.#isTold = true;
        this.#own.notify();
        this.#any.notify();
      }),
      ledger.onCommitted((committed, _head, families) => {
        if (committed !== tenant || families?.includes(captureFamily) === false) return;
        this.#mayHaveChanged = true;
        this.#any.notify();
      }),
    ];
  }

  /** Resolves when the capture is worth reading again since the last wait, or as soon as the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    const from = performance.now();
    if (!this.#isTold && !this.#mayHaveChanged) await pause(longestWait, signal, this.#any);
    const left = shortestWait - (performance.now() - from);
    if (!this.#isTold && left > 0) await pause(left, signal, this.#own);
    this.#isTold = false;
    this.#mayHaveChanged = false;
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stopListening) stop();
  }
}
