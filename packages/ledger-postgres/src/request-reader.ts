import type { CallOptions, Instant, Sequence, TenantId } from "@loci/domain";
import type { AskedRequest, Committed } from "@loci/ledger";
import {
  answerOf,
  erasedRequest,
  erasedRequestId,
  erasedRequestKey,
  type KnownAnswer,
  requestKey,
} from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import { now } from "./database-clock.ts";
import { type Statement, statement } from "./statement.ts";

export interface RequestRow {
  readonly subject: string;
  readonly method: string;
  readonly request_id: string;
  readonly body_hash: string;
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly written_at: Instant;
  readonly results: string;
}

const columns = "r.subject, r.method, r.request_id, r.body_hash, r.sequence, r.recorded_at, r.written_at, r.results";

function answers(condition: string): Statement<RequestRow> {
  return statement(
    `SELECT ${columns} FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (subject, method, request_id)
       JOIN requests AS r ON r.tenant = $1 AND r.subject = wanted.subject AND r.method = wanted.method
         AND r.request_id = wanted.request_id ${condition}`,
  );
}

/** What requests were answered, however long ago. */
export const findAnswers: Statement<RequestRow> = answers("");

const findAnswersToRepeat: Statement<RequestRow> = answers(`WHERE r.written_at > ${now("$5")} - $6::bigint`);

/** An answer, and the key that `planCommits` looks for. */
export function answerOfRow(row: RequestRow): [key: string, answer: KnownAnswer] {
  const { method, request_id: requestId, body_hash: bodyHash, sequence, recorded_at: recordedAt } = row;
  const results = JSON.parse(row.results) as Committed["results"];
  const committed = { sequence, recordedAt, replayed: true, results };
  return [requestKey(row.subject, { method, requestId }), { bodyHash, committed }];
}

/** Says what requests were answered, without carrying out anything. */
export class RequestReader {
  readonly #connections: Connections;
  readonly #clock: (() => Instant) | undefined;
  readonly #retention: number;

  constructor(connections: Connections, clock: (() => Instant) | undefined, retentionMilliseconds: number) {
    this.#connections = connections;
    this.#clock = clock;
    this.#retention = retentionMilliseconds;
  }

  /** @throws LociError `REQUEST_ID_REUSED`, `MEMORY_ERASED` */
  async answered(
    tenant: TenantId,
    { subject, ...idempotency }: AskedRequest,
    call?: CallOptions,
  ): Promise<Committed | undefined> {
    const { method, requestId } = idempotency;
    const keys = [
      [subject, erasedRequest],
      [method, erasedRequest],
      [requestId, erasedRequestId(subject, idempotency)],
    ];
    const values = [tenant, ...keys, this.#clock?.() ?? null, this.#retention];
    const known = new Map(
      (await this.#connections.read({ tenant }, findAnswersToRepeat, values, call)).map(answerOfRow),
    );
    const isErased = known.has(erasedRequestKey(subject, idempotency));
    return answerOf(known.get(requestKey(subject, idempotency)), isErased, idempotency);
  }
}
