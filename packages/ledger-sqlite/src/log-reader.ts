import type { DatabaseSync } from "node:sqlite";
import type { Sequence, TenantId } from "@loci/domain";
import type { PendingProjection, RecordedChange } from "@loci/ledger";
import { changeOf, type ChangeRow } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

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
    // Most who ask are up to date, and the head alone is a fifth of the work.
    if (this.head(tenant) <= after) return found;
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
