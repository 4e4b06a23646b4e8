import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import type { Committed, Idempotency } from "@loci/ledger";
import { erasedRequest, erasedRequestId, requestErased, requestIdReused } from "@loci/ledger/sql";
import { type Command, prepareCommand, prepareQuery, type Query } from "./query.ts";

/** A request that can be repeated safely, and whose it is. */
export interface RepeatableRequest extends Idempotency {
  readonly tenant: number;
  readonly subject: string;
}

interface RequestRow {
  readonly body_hash: string;
  readonly sequence: number;
  readonly recorded_at: number;
  readonly written_at: number;
  readonly results: string;
}

const pruneEveryMilliseconds = 60_000;
const pruneAtOnce = 1000;

/** Remembers what requests were answered, for as long as they may be repeated. */
export class RequestWriter {
  readonly #retention: number;
  readonly #find: Query<RequestRow>;
  readonly #write: Command;
  readonly #prune: Command;
  #nextPrune = 0;

  constructor(database: DatabaseSync, retentionMilliseconds: number) {
    this.#retention = retentionMilliseconds;
    this.#find = prepareQuery(
      database,
      `SELECT body_hash, sequence, recorded_at, written_at, results FROM requests
         WHERE tenant = ? AND subject = ? AND method = ? AND request_id = ?`,
    );
    this.#write = prepareCommand(
      database,
      `INSERT OR REPLACE INTO requests
         (tenant, subject, method, request_id, body_hash, sequence, recorded_at, written_at, results)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#prune = prepareCommand(
      database,
      `DELETE FROM requests WHERE written_at <= ? AND id IN (SELECT id FROM requests ORDER BY id LIMIT ${pruneAtOnce})`,
    );
  }

  /**
   * The first answer, if the request was answered within the retention.
   *
   * @throws LociError `REQUEST_ID_REUSED` when it was another request; `MEMORY_ERASED` when what it stored was purged since
   */
  find(request: RepeatableRequest, now: Instant): Committed | undefined {
    const row = this.#find.get(request.tenant, request.subject, request.method, request.requestId);
    if (row === undefined) this.#checkErased(request, now);
    if (row === undefined || row.written_at <= now - this.#retention) return undefined;
    if (row.body_hash !== request.bodyHash) throw requestIdReused(request);
    return {
      sequence: row.sequence,
      recordedAt: row.recorded_at,
      replayed: true,
      results: JSON.parse(row.results) as Committed["results"],
    };
  }

  #checkErased(request: RepeatableRequest, now: Instant): void {
    const id = erasedRequestId(request.subject, request);
    const row = this.#find.get(request.tenant, erasedRequest, erasedRequest, id);
    if (row !== undefined && row.written_at > now - this.#retention) throw requestErased(request);
  }

  write(request: RepeatableRequest, committed: Committed, now: Instant): void {
    const { tenant, subject, method, requestId, bodyHash } = request;
    const { sequence, recordedAt, results } = committed;
    const answer = JSON.stringify(results);
    this.#write.run(tenant, subject, method, requestId, bodyHash, sequence, recordedAt, now, answer);
  }

  /** Deletes some of the oldest that are past the retention: now and then, and not many at once. */
  prune(now: Instant): void {
    // A clock that was set back must not stop the pruning.
    if (now < this.#nextPrune && now > this.#nextPrune - 2 * pruneEveryMilliseconds) return;
    const { changes } = this.#prune.run(now - this.#retention);
    this.#nextPrune = Number(changes) === pruneAtOnce ? now : now + pruneEveryMilliseconds;
  }
}
