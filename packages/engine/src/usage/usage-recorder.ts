import type { TenantId } from "@loci/domain";
import { DelayedFlush } from "../calls/delayed-flush.ts";
import { RefusedWrites } from "../calls/refused-writes.ts";
import type { ReportProblem } from "../calls/report-problem.ts";

/** When the ledger cannot be written for long, the oldest entries are given up: they only weigh memories. */
const maxEntries = 100_000;

export interface UsageRecorderOptions<Entry> {
  readonly write: (tenant: TenantId, entries: readonly Entry[]) => Promise<void>;
  /** What writing is, for reports of its failure. */
  readonly activity: string;
  readonly reportProblem: ReportProblem;
}

/** Batches counts of what was used or shown, so that reading never waits for a write. */
export class UsageRecorder<Entry> {
  readonly #options: UsageRecorderOptions<Entry>;
  readonly #entries = new Map<TenantId, Entry[]>();
  readonly #refused = new RefusedWrites();
  readonly #flush = new DelayedFlush(() => this.#write());

  constructor(options: UsageRecorderOptions<Entry>) {
    this.#options = options;
  }

  record(tenant: TenantId, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const waiting = this.#entries.get(tenant) ?? [];
    waiting.push(...entries);
    if (waiting.length > maxEntries) waiting.splice(0, waiting.length - maxEntries);
    this.#entries.set(tenant, waiting);
    this.#flush.soon();
  }

  /**
   * Writes what has been recorded so far. Failures are reported and tried again with the next flush, a few times if nothing says that
   * they pass.
   */
  async flush(): Promise<void> {
    await this.#flush.now();
  }

  async close(): Promise<void> {
    await this.#flush.last();
  }

  async #write(): Promise<void> {
    const batches = [...this.#entries];
    this.#entries.clear();
    for (const [tenant, entries] of batches)
      try {
        await this.#options.write(tenant, entries);
        this.#refused.wasWritten(tenant);
      } catch (error) {
        this.#options.reportProblem(error, this.#options.activity);
        if (this.#refused.isHopeless(tenant, error)) continue;
        this.#entries.set(tenant, [...entries, ...(this.#entries.get(tenant) ?? [])]);
        this.#flush.soon();
      }
  }
}
