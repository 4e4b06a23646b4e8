import type { ContentHash, Instant, MemoryRecord, Ref, Sequence, TenantId, Version } from "@loci/domain";
import { type CommitBatch, type Committed, refOfChange } from "@loci/ledger";
import { blobOf, erasedRequest, erasedRequestId, packVectors, parseRecord, textKeyOf } from "@loci/ledger/sql";
import { CommitPlan, type KnownMemory, type LogEnd, type Outcome, placedText, requestKey } from "./commit-plan.ts";
import { allDone, type Connections, type RunStatement } from "./connections.ts";
import { scopeColumns } from "./memory-reader.ts";
import { type Statement, statement } from "./statement.ts";
import { now } from "./database-clock.ts";
import { addModelUsage, modelUsageValues } from "./usage-tables.ts";

interface MemoryRow {
  readonly ref: Ref;
  readonly version: Version | null;
  readonly sequence: Sequence;
  readonly scope_kind: string;
  readonly scope_id: string;
  readonly state: MemoryRecord["state"];
  readonly content_hash: ContentHash;
  readonly record: string | null;
  readonly is_purged: boolean;
}

interface TextRow {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope_kind: string;
  readonly scope_id: string;
  readonly text_key: string;
}

interface RequestRow {
  readonly subject: string;
  readonly method: string;
  readonly request_id: string;
  readonly body_hash: string;
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly written_at: Instant;
  readonly results: string;
}

/** Locks the tenant's log: whoever comes next waits here, and then sees what was committed. */
export const lockLog: Statement<LogEnd> = statement(
  `SELECT head, recorded_at AS "recordedAt", ${now("$2")} AS now FROM tenants WHERE tenant = $1 FOR UPDATE`,
);

const beginLog = statement("INSERT INTO tenants (tenant) VALUES ($1) ON CONFLICT DO NOTHING");

const loadMemories: Statement<MemoryRow> = statement(
  `SELECT wanted.ref, m.version, m.sequence, m.scope_kind, m.scope_id, m.state, c.content_hash,
       CASE WHEN wanted.whole THEN c.record END AS record, p.ref IS NOT NULL AS is_purged
     FROM unnest($2::text[], $3::boolean[]) AS wanted (ref, whole)
     LEFT JOIN memories AS m ON m.tenant = $1 AND m.ref = wanted.ref
     LEFT JOIN changes AS c ON c.tenant = $1 AND c.sequence = m.sequence
     LEFT JOIN purged AS p ON p.tenant = $1 AND p.ref = wanted.ref
     WHERE m.ref IS NOT NULL OR p.ref IS NOT NULL`,
);

const loadRequests: Statement<RequestRow> = statement(
  `SELECT r.subject, r.method, r.request_id, r.body_hash, r.sequence, r.recorded_at, r.written_at, r.results
     FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (subject, method, request_id)
     JOIN requests AS r ON r.tenant = $1 AND r.subject = wanted.subject AND r.method = wanted.method
       AND r.request_id = wanted.request_id`,
);

const loadTexts: Statement<TextRow> = statement(
  `SELECT m.ref, m.version, m.scope_kind, m.scope_id, m.text_key
     FROM unnest($2::text[], $3::text[], $4::text[]) AS wanted (kind, id, text_key)
     JOIN memories AS m ON m.tenant = $1 AND m.scope_kind = wanted.kind AND m.scope_id = wanted.id
       AND m.text_key = wanted.text_key AND m.state = 'active'`,
);

const appendEntries = statement(
  `INSERT INTO changes (tenant, recorded_at, sequence, type, ref, version, space, content_hash, record)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::text[])`,
);

const putMemories = statement(
  `INSERT INTO memories (tenant, ref, version, sequence, state, scope_kind, scope_id, category, created_at, expires_at,
       source_id, position, slot, text_key)
     SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
       $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::text[], $14::text[])
     ON CONFLICT (tenant, ref) DO UPDATE SET version = excluded.version, sequence = excluded.sequence,
       state = excluded.state, scope_kind = excluded.scope_kind, scope_id = excluded.scope_id,
       category = excluded.category, created_at = excluded.created_at, expires_at = excluded.expires_at,
       source_id = excluded.source_id, position = excluded.position, slot = excluded.slot,
       text_key = excluded.text_key`,
);

const removeTags = statement("DELETE FROM tags WHERE tenant = $1 AND ref = ANY ($2::text[])");

const putTags = statement(
  `INSERT INTO tags (tenant, ref, tag, scope_kind, scope_id, category, created_at, expires_at, sequence)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[],
       $9::bigint[])`,
);

const endVersions = statement(
  `UPDATE active_versions AS v SET ended = changed.ended
     FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS changed (scope_kind, scope_id, sequence, ended)
     WHERE v.tenant = $1 AND v.scope_kind = changed.scope_kind AND v.scope_id = changed.scope_id
       AND v.sequence = changed.sequence`,
);

const beginVersions = statement(
  `INSERT INTO active_versions (tenant, scope_kind, scope_id, sequence, ended)
     SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[])`,
);

/** All vectors travel as one value in binary; in an array each would be sent as hexadecimal digits. */
const putEmbeddings = statement(
  `INSERT INTO embeddings (tenant, space, content_hash, chunks, vectors)
     SELECT $1, e.space, e.content_hash, e.chunks, substring($2::bytea FROM e.start + 1 FOR e.length)
       FROM unnest($3::text[], $4::text[], $5::integer[], $6::integer[], $7::integer[])
         AS e (space, content_hash, chunks, start, length)
     ON CONFLICT DO NOTHING`,
);

const putRequests = statement(
  `INSERT INTO requests (tenant, written_at, recorded_at, subject, method, request_id, body_hash, sequence, results)
     SELECT $1, $2, $3, * FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[])
     ON CONFLICT (tenant, subject, method, request_id) DO UPDATE SET body_hash = excluded.body_hash,
       sequence = excluded.sequence, recorded_at = excluded.recorded_at, written_at = excluded.written_at,
       results = excluded.results`,
);

export const advanceLog: Statement<Record<string, never>> = statement(
  "UPDATE tenants SET head = $2, recorded_at = $3, written_at = clock_timestamp() WHERE tenant = $1",
);

/** Writes batches of one tenant in one transaction: two round trips, however many batches there are. */
export class CommitWriter {
  readonly #connections: Connections;
  readonly #clock: (() => Instant) | undefined;
  readonly #requestRetention: number;

  constructor(connections: Connections, clock: (() => Instant) | undefined, requestRetentionMilliseconds: number) {
    this.#connections = connections;
    this.#clock = clock;
    this.#requestRetention = requestRetentionMilliseconds;
  }

  /** One outcome a batch. @throws LociError when the transaction failed, and with it all of them */
  write(tenant: TenantId, batches: readonly CommitBatch[]): Promise<readonly Outcome[]> {
    return this.#connections.transaction({ tenant }, async (send, commit) => {
      const { end, memories, texts, requests } = await this.#load(send, tenant, batches);
      const plan = new CommitPlan(end, memories, texts, this.#answersOf(requests, end.now));
      const outcomes = batches.map((batch) => plan.add(batch));
      await commit(writePlan(send, tenant, plan, end));
      return outcomes;
    });
  }

  async #load(send: RunStatement, tenant: TenantId, batches: readonly CommitBatch[]): Promise<Loaded> {
    const wanted = wantedMemories(batches);
    const keyed = batches.flatMap(({ principal: { subject }, idempotency }) =>
      idempotency === undefined
        ? []
        : [
            { subject, ...idempotency },
            { subject: erasedRequest, method: erasedRequest, requestId: erasedRequestId(subject, idempotency) },
          ],
    );
    const expected = batches.flatMap(({ expectTexts = [] }) => expectTexts);
    // Sent behind the lock without waiting for it: each statement sees what was committed when it begins.
    const all = async (): Promise<Loaded | undefined> => {
      const [ends, memories, requests, texts] = (await allDone([
        send(lockLog, [tenant, this.#clock?.() ?? null]),
        wanted.size === 0 ? [] : send(loadMemories, [tenant, [...wanted.keys()], [...wanted.values()]]),
        keyed.length === 0
          ? []
          : send(loadRequests, [
              tenant,
              keyed.map(({ subject }) => subject),
              keyed.map(({ method }) => method),
              keyed.map(({ requestId }) => requestId),
            ]),
        expected.length === 0
          ? []
          : send(loadTexts, [
              tenant,
              ...scopeColumns(expected.map(({ scope }) => scope)),
              expected.map(({ text }) => textKeyOf(text)),
            ]),
      ])) as [readonly LogEnd[], readonly MemoryRow[], readonly RequestRow[], readonly TextRow[]];
      const [end] = ends;
      const known = new Map(memories.map((row) => [row.ref, knownMemoryOf(row)]));
      return end && { end, memories: known, texts: placedTexts(texts), requests };
    };
    const loaded = await all();
    if (loaded !== undefined) return loaded;
    await send(beginLog, [tenant]);
    const second = await all();
    if (second === undefined) throw new TypeError("The tenant's row is not there, although it was made.");
    return second;
  }

  #answersOf(
    rows: readonly RequestRow[],
    time: Instant,
  ): Map<string, { readonly bodyHash: string; readonly committed: Committed }> {
    const kept = rows.filter(({ written_at }) => written_at > time - this.#requestRetention);
    return new Map(
      kept.map((row) => {
        const { method, request_id: requestId, body_hash: bodyHash, sequence, recorded_at: recordedAt } = row;
        const results = JSON.parse(row.results) as Committed["results"];
        const committed = { sequence, recordedAt, replayed: true, results };
        return [requestKey(row.subject, { method, requestId, bodyHash }), { bodyHash, committed }];
      }),
    );
  }
}

interface Loaded {
  readonly end: LogEnd;
  readonly memories: ReadonlyMap<Ref, KnownMemory>;
  readonly texts: Map<string, Map<Ref, Version>>;
  readonly requests: readonly RequestRow[];
}

function placedTexts(rows: readonly TextRow[]): Map<string, Map<Ref, Version>> {
  const placed = new Map<string, Map<Ref, Version>>();
  for (const { ref, version, scope_kind: kind, scope_id: id, text_key: textKey } of rows) {
    const place = placedText(kind, id, textKey);
    placed.set(place, (placed.get(place) ?? new Map<Ref, Version>()).set(ref, version));
  }
  return placed;
}

/** Which memories the batches are about, and whether the whole record is needed, to make a tombstone of it. */
function wantedMemories(batches: readonly CommitBatch[]): Map<Ref, boolean> {
  const wanted = new Map<Ref, boolean>();
  for (const { expect, changes } of batches) {
    for (const { ref } of expect) wanted.set(ref, wanted.get(ref) ?? false);
    for (const change of changes) {
      const ref = refOfChange(change);
      wanted.set(ref, wanted.get(ref) === true || change.type === "memoryRemoved");
    }
  }
  return wanted;
}

function knownMemoryOf(row: MemoryRow): KnownMemory {
  return {
    version: row.version ?? 0,
    sequence: row.sequence,
    scopeKind: row.scope_kind,
    scopeId: row.scope_id,
    isActive: row.state === "active",
    isPurged: row.is_purged,
    contentHash: row.content_hash,
    memory: row.record === null ? undefined : parseRecord(row.record, row.sequence),
  };
}

/** Sends what the plan comes to. */
function writePlan(send: RunStatement, tenant: TenantId, plan: CommitPlan, end: LogEnd): Promise<unknown>[] {
  const { entries, versions, ended, embeddings, requests, current } = plan;
  const sent: Promise<unknown>[] = [];
  const write = (wanted: Statement<unknown>, ...values: readonly unknown[]): void => {
    sent.push(send(wanted, [tenant, ...values]));
  };
  if (entries.length > 0) {
    write(
      appendEntries,
      plan.recordedAt,
      ...columns(entries, ["sequence", "type", "ref", "version", "space", "contentHash", "record"]),
    );
    write(advanceLog, plan.head, plan.recordedAt);
  }
  if (current.length > 0) {
    write(
      putMemories,
      ...columns(current, ["ref", "version", "sequence", "state"]),
      current.map(({ fields }) => fields.scope.kind),
      current.map(({ fields }) => fields.scope.id ?? ""),
      ...columns(
        current.map(({ fields }) => fields),
        ["category", "createdAt", "expiresAt", "sourceId", "position", "slot", "textKey"],
      ),
    );
    const edited = current.filter(({ version }) => version > 1).map(({ ref }) => ref);
    if (edited.length > 0) write(removeTags, edited);
    const tags = current.flatMap(({ ref, sequence, fields }) =>
      fields.active ? fields.tags.map((tag) => ({ ref, tag, sequence, ...fields })) : [],
    );
    if (tags.length > 0)
      write(
        putTags,
        ...columns(tags, ["ref", "tag"]),
        tags.map(({ scope }) => scope.kind),
        tags.map(({ scope }) => scope.id ?? ""),
        ...columns(tags, ["category", "createdAt", "expiresAt", "sequence"]),
      );
  }
  if (ended.length > 0) write(endVersions, ...columns(ended, ["scopeKind", "scopeId", "sequence", "ended"]));
  const active = versions.filter(({ fields }) => fields.active);
  if (active.length > 0)
    write(
      beginVersions,
      active.map(({ fields }) => fields.scope.kind),
      active.map(({ fields }) => fields.scope.id ?? ""),
      ...columns(active, ["sequence", "ended"]),
    );
  if (embeddings.length > 0) {
    const { values, bounds } = packVectors(embeddings.map(({ vectors }) => vectors));
    write(
      putEmbeddings,
      blobOf(values, 0, values.length),
      ...columns(embeddings, ["space", "contentHash"]),
      embeddings.map(({ vectors }) => vectors.length),
      bounds.map(({ start }) => start * Float32Array.BYTES_PER_ELEMENT),
      bounds.map(({ start, end: last }) => (last - start) * Float32Array.BYTES_PER_ELEMENT),
    );
  }
  for (const entry of plan.modelUsage) write(addModelUsage, ...modelUsageValues(entry));
  if (requests.length > 0)
    write(
      putRequests,
      end.now,
      plan.recordedAt,
      ...columns(requests, ["subject", "method", "requestId", "bodyHash"]),
      requests.map(({ committed }) => committed.sequence),
      requests.map(({ committed }) => JSON.stringify(committed.results)),
    );
  return sent;
}

/** Rows turned into one array a column, as `unnest` takes them. */
function columns<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
