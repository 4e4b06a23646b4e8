import type { DatabaseSync } from "node:sqlite";
import type { ContentHash, EmbeddingSpaceId, Instant, Ref, Sequence, TenantId, Version } from "@loci/domain";
import type { Change, PendingProjection, RecordedChange } from "@loci/ledger";
import { prepareQuery, type Query } from "./query.ts";
import { damagedEntry, parseRecord } from "./record-json.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

interface ChangeRow {
  readonly sequence: Sequence;
  readonly recorded_at: Instant;
  readonly type: Change["type"];
  readonly ref: Ref;
  readonly version: Version;
  readonly content_hash: ContentHash;
  readonly record: string | null;
  readonly space: EmbeddingSpaceId | null;
}

interface PendingRow {
  readonly id: number;
  readonly tenant: TenantId;
  readonly head: Sequence;
  readonly acknowledged: Sequence;
}

/** Reads the log, and how far projections have followed it. */
export class LogReader {
  readonly #changes: Query<ChangeRow>;
  readonly #head: Query<{ head: Sequence }>;
  readonly #pending: Query<PendingRow>;

  constructor(database: DatabaseSync) {
    this.#changes = prepareQuery(
      database,
      `SELECT c.sequence, c.recorded_at, c.type, c.ref, c.version, c.content_hash, c.record, s.name AS space
         FROM changes AS c LEFT JOIN spaces AS s ON s.id = c.space
         WHERE c.tenant = (SELECT id FROM tenants WHERE name = ?) AND c.sequence > ?
         ORDER BY c.sequence LIMIT ?`,
    );
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    this.#pending = prepareQuery(
      database,
      `SELECT t.id, t.name AS tenant, t.head, coalesce(p.acknowledged, 0) AS acknowledged
         FROM tenants AS t LEFT JOIN projections AS p ON p.tenant = t.id AND p.projection = ?
         WHERE t.id > ? ORDER BY t.id LIMIT ${4 * rowsPerStep}`,
    );
  }

  head(tenant: TenantId): Sequence {
    return this.#head.get(tenant)?.head ?? 0;
  }

  async changes(tenant: TenantId, after: Sequence, limit: number, pace: ReadingPace): Promise<RecordedChange[]> {
    const found: RecordedChange[] = [];
    while (found.length < limit) {
      const wanted = Math.min(limit - found.length, rowsPerStep);
      const rows = this.#changes.all(tenant, found.at(-1)?.sequence ?? after, wanted);
      for (const row of rows)
        found.push({ sequence: row.sequence, recordedAt: row.recorded_at, change: changeOf(row) });
      if (rows.length < wanted) break;
      await pace.step();
    }
    return found;
  }

  async pending(projection: string, pace: ReadingPace): Promise<PendingProjection[]> {
    const found: PendingProjection[] = [];
    let last = 0;
    for (;;) {
      const rows = this.#pending.all(projection, last);
      for (const { tenant, head, acknowledged } of rows)
        if (head > acknowledged) found.push({ tenant, head, acknowledged });
      const end = rows.at(-1);
      if (end === undefined) return found;
      last = end.id;
      await pace.step();
    }
  }
}

function changeOf(row: ChangeRow): Change {
  const { type, ref, version, content_hash: contentHash, record, space } = row;
  if (type === "embeddingRecorded" && space !== null) return { type, ref, version, space, contentHash };
  if (record !== null) {
    const memory = parseRecord(record, row.sequence);
    if (type === "memoryWritten") return { type, memory, contentHash };
    if (type === "memoryRemoved") return { type, ref, version, removedAt: memory.updatedAt };
  }
  // Of a memory that was purged.
  if (type === "memoryRemoved") return { type, ref, version, removedAt: row.recorded_at };
  throw damagedEntry(row.sequence, `has the unknown type ${JSON.stringify(type)} or lacks its content`);
}
