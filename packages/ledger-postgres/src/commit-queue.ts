import { CallSignal, type CallOptions, LociError, type TenantId, throwIfAborted } from "@loci/domain";
import type { CommitBatch, Committed } from "@loci/ledger";
import type { CommitOutcome } from "@loci/ledger/sql";
import type { CommitWriter } from "./commit-writer.ts";

/** Limits of one group, so that nobody waits for a whole queue's transaction. */
const maxBatchesPerGroup = 256;
const maxFloatsPerGroup = 4 * 1024 * 1024;

interface Waiting {
  readonly batch: CommitBatch;
  readonly resolve: (committed: Committed) => void;
  readonly reject: (error: unknown) => void;
  readonly over: CallSignal | undefined;
  withdrawn: boolean;
}

/**
 * Batches of one tenant share transactions: while one is under way the next wait here, and then leave together. They
 * would only wait for each other in the database otherwise, and hold a connection each. A batch can be withdrawn until its
 * group leaves.
 */
export class CommitQueue {
  readonly #writer: CommitWriter;
  readonly #tenants = new Map<TenantId, Waiting[]>();
  readonly #running = new Map<TenantId, Promise<void>>();

  constructor(writer: CommitWriter) {
    this.#writer = writer;
  }

  /**
   * @throws LociError `CANCELLED` or `DEADLINE_EXCEEDED` when the call was over before its group left, and only then;
   *   what the batch was refused for
   */
  async commit(batch: CommitBatch, call?: CallOptions): Promise<Committed> {
    const limited = call?.signal !== undefined || call?.deadline !== undefined;
    using over = limited ? new CallSignal(call) : undefined;
    over?.throwIfAborted();
    return await new Promise<Committed>((resolve, reject) => {
      const waiting: Waiting = { batch, resolve, reject, over, withdrawn: false };
      over?.signal.addEventListener("abort", () => withdraw(waiting), { once: true });
      const { tenant } = batch;
      const queue = this.#tenants.get(tenant);
      if (queue === undefined) this.#tenants.set(tenant, [waiting]);
      else queue.push(waiting);
      if (!this.#running.has(tenant)) this.#running.set(tenant, this.#drain(tenant));
    });
  }

  /** Resolves when everything handed over by now is written. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #drain(tenant: TenantId): Promise<void> {
    // Lets everything that is handed over in this turn of the event loop leave together.
    await Promise.resolve();
    for (;;) {
      const group = this.#nextGroup(tenant);
      if (group.length === 0) break;
      await this.#write(tenant, group);
    }
    this.#tenants.delete(tenant);
    this.#running.delete(tenant);
  }

  #nextGroup(tenant: TenantId): Waiting[] {
    const queue = this.#tenants.get(tenant) ?? [];
    const group: Waiting[] = [];
    let floats = 0;
    let taken = 0;
    for (const waiting of queue) {
      if (group.length >= maxBatchesPerGroup || floats >= maxFloatsPerGroup) break;
      taken++;
      if (waiting.withdrawn) continue;
      // From here on the call can no longer be stopped.
      waiting.over?.[Symbol.dispose]();
      group.push(waiting);
      for (const { vectors } of waiting.batch.embeddings ?? []) for (const vector of vectors) floats += vector.length;
    }
    queue.splice(0, taken);
    return group;
  }

  async #write(tenant: TenantId, group: readonly Waiting[]): Promise<void> {
    let outcomes: readonly CommitOutcome[];
    try {
      outcomes = await this.#writer.write(
        tenant,
        group.map(({ batch }) => batch),
      );
    } catch (error) {
      if (group.length > 1 && isOfOneBatch(error)) for (const one of group) await this.#write(tenant, [one]);
      else for (const { reject } of group) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.succeeded === true) resolve(outcome.committed);
      else reject(outcome?.error);
    }
  }
}

/** The database refused a value, or it cannot be written down: one of the batches holds it, and the others must not fail for it. */
function isOfOneBatch(error: unknown): boolean {
  return !LociError.is(error) || error.reason === "INVALID_TEXT" || error.reason === "INTERNAL";
}

function withdraw(waiting: Waiting): void {
  waiting.withdrawn = true;
  try {
    throwIfAborted(waiting.over?.signal);
  } catch (error) {
    waiting.reject(error);
  }
}
