import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import type { Committed, Idempotency } from "@loci/ledger";
import { erasedRequest, erasedRequestId, type KnownAnswer, requestKey } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";

interface RequestRow {
  readonly body_hash: string;
  readonly sequence: number;
  readonly recorded_at: number;
  readonly written_at: number;
  readonly results: string;
}

/** Reads what requests were answered, for as long as they may be repeated. */
export class AnswerReader {
  readonly #retention: number;
  readonly #find: Query<RequestRow>;

  constructor(database: DatabaseSync, retentionMilliseconds: number) {
    this.#retention = retentionMilliseconds;
    this.#find = prepareQuery(
      database,
      `SELECT body_hash, sequence, recorded_at, written_at, results FROM requests
         WHERE tenant = ? AND subject = ? AND method = ? AND request_id = ?`,
    );
  }

  /** The answer of a request, or what is left of it after a purge, by the keys that `planCommits` looks for. */
  known(tenant: number, subject: string, idempotency: Idempotency, now: Instant): ReadonlyMap<string, KnownAnswer> {
    const { method, requestId } = idempotency;
    const erased = { method: erasedRequest, requestId: erasedRequestId(subject, idempotency) };
    const known = new Map<string, KnownAnswer>();
    for (const [owner, request] of [
      [subject, { method, requestId }],
      [erasedRequest, erased],
    ] as const) {
      const row = this.#find.get(tenant, owner, request.method, request.requestId);
      if (row === undefined || row.written_at <= now - this.#retention) continue;
      const { body_hash: bodyHash, sequence, recorded_at: recordedAt } = row;
      const results = JSON.parse(row.results) as Committed["results"];
      known.set(requestKey(owner, request), {
        bodyHash,
        committed: { sequence, recordedAt, replayed: true, results },
      });
    }
    return known;
  }
}
