import type { DatabaseSync } from "node:sqlite";
import type { Instant } from "@loci/domain";
import type { KnownAnswer, PlannedAnswer } from "@loci/ledger/sql";
import { AnswerReader } from "./answer-reader.ts";
import { type Command, prepareCommand } from "./query.ts";
import type { CommitOperation } from "./write-operation.ts";

const pruneEveryMilliseconds = 60_000;
const pruneAtOnce = 1000;
const noAnswers: ReadonlyMap<string, KnownAnswer> = new Map();

/** Remembers what requests were answered, for as long as they may be repeated. */
export class RequestWriter {
  readonly #retention: number;
  readonly #answers: AnswerReader;
  readonly #write: Command;
  readonly #prune: Command;
  #nextPrune = 0;

  constructor(database: DatabaseSync, retentionMilliseconds: number) {
    this.#retention = retentionMilliseconds;
    this.#answers = new AnswerReader(database, retentionMilliseconds);
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

  /** What is known of the request of a batch, if it has one and may still repeat it. */
  known(tenant: number, { author, idempotency }: CommitOperation, now: Instant): ReadonlyMap<string, KnownAnswer> {
    if (idempotency === undefined) return noAnswers;
    return this.#answers.known(tenant, author.subject ?? "", idempotency, now);
  }

  write(tenant: number, { subject, method, requestId, bodyHash, committed }: PlannedAnswer, now: Instant): void {
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
