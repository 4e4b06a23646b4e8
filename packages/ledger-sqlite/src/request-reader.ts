import type { DatabaseSync } from "node:sqlite";
import type { Instant, TenantId } from "@loci/domain";
import type { AskedRequest, Committed } from "@loci/ledger";
import { answerOf, erasedRequestKey, requestKey } from "@loci/ledger/sql";
import { AnswerReader } from "./answer-reader.ts";
import { prepareQuery, type Query } from "./query.ts";

/** Says what requests were answered, without carrying out anything. */
export class RequestReader {
  readonly #answers: AnswerReader;
  readonly #tenant: Query<{ id: number }>;

  constructor(database: DatabaseSync, retentionMilliseconds: number) {
    this.#answers = new AnswerReader(database, retentionMilliseconds);
    this.#tenant = prepareQuery(database, "SELECT id FROM tenants WHERE name = ?");
  }

  /** @throws LociError `REQUEST_ID_REUSED`, `MEMORY_ERASED` */
  answered(tenant: TenantId, { subject, ...idempotency }: AskedRequest, now: Instant): Committed | undefined {
    const id = this.#tenant.get(tenant)?.id;
    if (id === undefined) return undefined;
    const known = this.#answers.known(id, subject, idempotency, now);
    const isErased = known.has(erasedRequestKey(subject, idempotency));
    return answerOf(known.get(requestKey(subject, idempotency)), isErased, idempotency);
  }
}
