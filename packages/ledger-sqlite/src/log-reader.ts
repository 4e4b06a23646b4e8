import type { DatabaseSync } from "node:sqlite";
import type { Sequence, TenantId } from "@loci/domain";
import type { Family, LogEntry, PendingProjection } from "@loci/ledger";
import { type EntryRow, logEntryOf } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";
import { StepSize } from "./step-size.ts";

interface PendingRow {
  readonly id: number;
  readonly tenant: TenantId;
  readonly head: Sequence;
  readonly acknowledged: Sequence;
}

type Families = readonly Family[] | undefined;

/** Reads the log, and how far projections have followed it. */
export class LogReader {
  readonly #entries: Query<EntryRow>;
  readonly #entriesOfFamily: Query<EntryRow>;
  readonly #head: Query<{ head: Sequence }>;
  readonly #headOfFamily: Query<{ head: Sequence | null }>;
  readonly #pending: Query<PendingRow>;

  constructor(database: DatabaseSync) {
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    const entries = (index: string, condition: string): Query<EntryRow> =>
      prepareQuery(
        database,
        `SELECT c.sequence, c.recorded_at, c.family, c.type, c.ref, c.version, c.subject, c.activity, c.reason,
             c.content_hash, c.record, s.name AS space
           FROM changes AS c ${index} LEFT JOIN spaces AS s ON s.id = c.space
           WHERE c.tenant = ${tenant} AND ${condition} c.sequence > ? ORDER BY c.sequence LIMIT ?`,
      );
    this.#entries = entries("", "");
    // However few entries of other families there are when it is planned: there may be many later.
    this.#entriesOfFamily = entries("INDEXED BY changes_by_family", "c.family = ? AND");
    this.#head = prepareQuery(database, "SELECT head FROM tenants WHERE name = ?");
    this.#headOfFamily = prepareQuery(
      database,
      `SELECT max(sequence) AS head FROM changes INDEXED BY changes_by_family WHERE tenant = ${tenant} AND family = ?`,
    );
    this.#pending = prepareQuery(
      database,
      `SELECT t.id, t.name AS tenant, t.head, coalesce(p.acknowledged, 0) AS acknowledged
         FROM tenants AS t LEFT JOIN projections AS p ON p.tenant = t.id AND p.projection = ?
         WHERE t.id > ? ORDER BY t.id LIMIT ${4 * rowsPerStep}`,
    );
  }

  head(tenant: TenantId, families?: Families): Sequence {
    if (families === undefined) return this.#head.get(tenant)?.head ?? 0;
    return Math.max(0, ...families.map((family) => this.#headOfFamily.get(tenant, family)?.head ?? 0));
  }

  async changes(
    tenant: TenantId,
    after: Sequence,
    limit: number,
    families: Families,
    pace: ReadingPace,
  ): Promise<LogEntry[]> {
    const found: LogEntry[] = [];
    // Most who ask are up to date, and the head alone is a fifth of the work.
    if (this.head(tenant) <= after) return found;
    const step = new StepSize();
    while (found.length < limit) {
      const wanted = Math.min(limit - found.length, step.rows);
      const rows = this.#rows(tenant, found.at(-1)?.sequence ?? after, wanted, families);
      for (const row of rows) found.push(logEntryOf(row));
      if (rows.length < wanted) break;
      step.adapt(rows);
      await pace.step();
    }
    return found;
  }

  async pending(projection: string, families: Families, pace: ReadingPace): Promise<PendingProjection[]> {
    const found: PendingProjection[] = [];
    let last = 0;
    for (;;) {
      const rows = this.#pending.all(projection, last);
      for (const { tenant, head: end, acknowledged } of rows) {
        if (end <= acknowledged) continue;
        const head = families === undefined ? end : this.head(tenant, families);
        if (head > acknowledged) found.push({ tenant, head, acknowledged });
      }
      const end = rows.at(-1);
      if (end === undefined) return found;
      last = end.id;
      await pace.step();
    }
  }

  #rows(tenant: TenantId, after: Sequence, limit: number, families: Families): readonly EntryRow[] {
    if (families === undefined) return this.#entries.all(tenant, after, limit);
    const rows = families.map((family) => this.#entriesOfFamily.all(tenant, family, after, limit));
    if (rows.length === 1) return rows[0] ?? [];
    return rows
      .flat()
      .toSorted((left, right) => left.sequence - right.sequence)
      .slice(0, limit);
  }
}
