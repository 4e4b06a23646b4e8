import { promisify } from "node:util";
import { deflateRaw } from "node:zlib";
import { type Instant, LociError, type TenantId } from "@loci/domain";
import type { Ledger, NewReceipt } from "@loci/ledger";
import { DelayedFlush } from "../calls/delayed-flush.ts";
import { engineInstruments } from "../calls/engine-metrics.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import { UuidGenerator } from "../calls/uuid-version-7.ts";
import { type AssembledWith, type ReceiptEntry, receiptEntry } from "./receipt-entry.ts";

/** Of all tenants together: some 10 MB. What comes on top is dropped, and counted. */
const mostWaiting = 1_000;
/** Written in one transaction, and made ready without keeping the thread for long. */
const writtenAtOnce = 16;
/** Nobody waits for a receipt for ever: a ledger that refuses it so often has a tenant that is elsewhere, or is full. */
const mostAttempts = 5;
/** Of one tenant. */
const mostKept = 10_000;

const packed = promisify(deflateRaw);

export interface ReceiptKeeperOptions {
  readonly ledger: Pick<Ledger, "receipts">;
  readonly clock: () => Instant;
  /** 0: none are kept. */
  readonly keepMilliseconds: number;
  readonly reportProblem: ReportProblem;
}

/** Keeps receipts in the background, so that no assembly waits for a write. */
export class ReceiptKeeper {
  readonly keepMilliseconds: number;
  readonly #options: ReceiptKeeperOptions;
  readonly #ids = new UuidGenerator();
  readonly #waiting = new Map<TenantId, ReceiptEntry[]>();
  readonly #refused = new Map<TenantId, number>();
  readonly #flush = new DelayedFlush(() => this.#write());
  #amount = 0;
  #dropped = 0;

  constructor(options: ReceiptKeeperOptions) {
    this.#options = options;
    this.keepMilliseconds = options.keepMilliseconds;
  }

  /** @returns what it can be looked up under. `undefined`: none are kept, or too many wait to be written */
  keep(context: Parameters<typeof receiptEntry>[1], assembledWith: Omit<AssembledWith, "at">): string | undefined {
    if (this.keepMilliseconds === 0) return undefined;
    if (this.#amount >= mostWaiting) {
      this.#drop(1);
      return undefined;
    }
    const at = this.#options.clock();
    const id = this.#ids.next(at);
    const { tenant } = assembledWith.principal;
    const waiting = this.#waiting.get(tenant) ?? [];
    waiting.push(receiptEntry(id, context, { ...assembledWith, at }));
    this.#waiting.set(tenant, waiting);
    this.#amount++;
    this.#flush.soon();
    return id;
  }

  /** Writes what has been kept so far. Failures are reported and tried again with the next flush. */
  async flush(): Promise<void> {
    await this.#flush.now();
  }

  async close(): Promise<void> {
    await this.#flush.last();
  }

  async #write(): Promise<void> {
    // What comes meanwhile is for the next one: who waits for this one is not to wait for ever.
    for (const [tenant, waiting] of new Map(this.#waiting)) await this.#writeTenant(tenant, waiting, waiting.length);
    if (this.#dropped === 0) return;
    const dropped = this.#dropped;
    this.#dropped = 0;
    const error = new LociError("TOO_MANY_REQUESTS", {
      message: `${dropped} receipts of contexts were not kept: the ledger took them too slowly, or not at all.`,
      advice: "Look at the disk or the database of the ledger. The metric loci.receipts counts what is dropped.",
    });
    this.#options.reportProblem(error, "keeping receipts");
  }

  async #writeTenant(tenant: TenantId, waiting: ReceiptEntry[], amount: number): Promise<void> {
    for (let left = amount; left > 0;) {
      const some = waiting.slice(0, Math.min(left, writtenAtOnce));
      try {
        const rows = await Promise.all(some.map((entry) => this.#row(entry)));
        await this.#options.ledger.receipts.record(tenant, rows, mostKept);
        engineInstruments.add("loci.receipts", some.length, { "loci.receipt.outcome": "kept" });
        this.#refused.delete(tenant);
      } catch (error) {
        this.#options.reportProblem(error, "keeping receipts");
        const attempts = (this.#refused.get(tenant) ?? 0) + 1;
        this.#refused.set(tenant, attempts);
        if (attempts < mostAttempts) return this.#flush.soon();
        this.#refused.delete(tenant);
        this.#drop(some.length);
      }
      left -= waiting.splice(0, some.length).length;
      this.#amount -= some.length;
    }
    if (waiting.length === 0) this.#waiting.delete(tenant);
    else this.#flush.soon();
  }

  async #row({ summary, ...body }: ReceiptEntry): Promise<NewReceipt> {
    return {
      id: summary.id,
      summary: JSON.stringify(summary),
      body: await packed(JSON.stringify(body)),
      refs: body.memories.map(({ id }) => id),
      scopes: summary.scopes,
      keepMilliseconds: this.keepMilliseconds,
    };
  }

  #drop(amount: number): void {
    this.#dropped += amount;
    engineInstruments.add("loci.receipts", amount, { "loci.receipt.outcome": "dropped" });
  }
}
