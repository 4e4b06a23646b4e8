import type { Instant } from "@loci/domain";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import { type Statement, statement } from "./statement.ts";

interface Removed {
  readonly removed: number;
}

/** So that nobody waits for long. Two servers at the same rows remove them once. */
const removeAtOnce = 1_000;

function removing(table: string, condition: string): Statement<Removed> {
  return statement(
    `WITH removed AS (
       DELETE FROM ${table} WHERE ctid IN (
         SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${removeAtOnce})
       RETURNING 1
     ) SELECT count(*) AS removed FROM removed`,
  );
}

const removeRequests = removing("requests", `written_at <= ${now("$1")} - $2::bigint`);
const removeRecallMarks = removing("recall_marks", `kept_until <= ${now("$1")}`);
const removeReceipts = removing("receipts", `kept_until <= ${now("$1")}`);
const removeJobs = removing("jobs", `kept_until <= ${now("$1")}`);
/** Rows only leave at the low end, but for purges, so that the distance of the ids is about the number of rows. */
const removeCached = removing("embedding_cache", "id <= (SELECT max(id) FROM embedding_cache) - $1::bigint");

/** Of servers that are gone. Where a projection was, its next holder finds out from the index itself. */
const removeProjections = removing("projections", `leased_at <= ${now("$1")} - $2::bigint`);
const thirtyDaysMilliseconds = 30 * 24 * 60 * 60 * 1000;

export interface PrunerOptions {
  readonly clock: (() => Instant) | undefined;
  readonly requestRetentionMilliseconds: number;
  readonly embeddingCacheRows: number;
  readonly everyMilliseconds: number;
  readonly reportProblem: (error: unknown, activity: string) => void;
}

/** Removes what need not be kept any more, of every tenant: now and then, and not many rows at once. */
export class Pruner {
  readonly #connections: Connections;
  readonly #options: PrunerOptions;
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(connections: Connections, options: PrunerOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#timer = setInterval(() => {
      this.prune().catch((error: unknown) => {
        if (!connections.isClosing) options.reportProblem(error, "removing what need not be kept any more");
      });
    }, options.everyMilliseconds).unref();
  }

  async prune(): Promise<void> {
    const { requestRetentionMilliseconds, embeddingCacheRows } = this.#options;
    await this.#remove(removeRequests, [this.#now(), requestRetentionMilliseconds]);
    await this.#remove(removeRecallMarks, [this.#now()]);
    await this.#remove(removeReceipts, [this.#now()]);
    await this.#remove(removeJobs, [this.#now()]);
    await this.#remove(removeCached, [embeddingCacheRows]);
    await this.#remove(removeProjections, [this.#now(), thirtyDaysMilliseconds]);
  }

  /** Removes some of the marks that need not be remembered any more. */
  async recallMarks(): Promise<void> {
    await this.#connections.write({ everyTenant: true }, removeRecallMarks, [this.#now()]);
  }

  /** Removes some of the receipts that need not be kept any more. */
  async receipts(): Promise<void> {
    await this.#connections.write({ everyTenant: true }, removeReceipts, [this.#now()]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #remove(statement: Statement<Removed>, values: readonly unknown[]): Promise<void> {
    for (;;) {
      const [row] = await this.#connections.write({ everyTenant: true }, statement, values);
      if (row === undefined || row.removed < removeAtOnce) return;
    }
  }

  #now(): Instant | null {
    return this.#options.clock?.() ?? null;
  }
}
