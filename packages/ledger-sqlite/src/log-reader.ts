import type { DatabaseSync } from "node:sqlite";
import type { Sequence, TenantId } from "@loci/domain";
import type { CheckedEntries, Committed, DamagedEntry, Family, LogEntry, PendingProjection } from "@loci/ledger";
import {
  damageOfEntry,
  type EncodedCommit,
  type EntryRow,
  type LedgerSealing,
  logEntryOf,
  openEntries,
  openEntry,
} from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";
import { RecentStretches } from "./recent-stretches.ts";
import { StepSize } from "./step-size.ts";
import { type WantedEntries, WrittenEntries, type WrittenRows } from "./written-entries.ts";

/** Tenants looked at in one statement, by their numbers. */
const tenantsPerStep = 4 * rowsPerStep;

interface PendingRow {
  readonly tenant: TenantId;
  readonly head: Sequence;
  readonly acknowledged: Sequence;
}

type Families = readonly Family[] | undefined;

/** UTF-16 units of JSON in a stretch that is kept for the next who asks. */
const maxKeptUnits = 262_144;

/** Reads the log, and how far projections have followed it. */
export class LogReader {
  readonly #entries: Query<EntryRow>;
  readonly #entriesOfFamily: Query<EntryRow>;
  readonly #head: Query<{ head: Sequence }>;
  readonly #headOfFamily: Query<{ head: Sequence | null }>;
  readonly #lastTenant: Query<{ id: number | null }>;
  readonly #overview: DatabaseSync;
  readonly #sealing: LedgerSealing;
  /** By the number of families that are asked for. */
  readonly #pending = new Map<number, Query<PendingRow>>();
  readonly #recent = new RecentStretches();
  readonly #written = new WrittenEntries();

  /** @param overview reads what concerns all tenants */
  constructor(database: DatabaseSync, overview: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
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
    this.#lastTenant = prepareQuery(overview, "SELECT max(id) AS id FROM tenants");
    this.#overview = overview;
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
    const head = this.head(tenant);
    if (head <= after) return found;
    const known = this.#recent.find({ tenant, families, after, limit, head });
    if (known !== undefined) return [...known];
    const { purges } = this.#recent;
    let units = 0;
    const step = new StepSize();
    for (let place = after; found.length < limit && place < head;) {
      const wanted = Math.min(limit - found.length, step.rows);
      const { rows, through } = this.#next({ tenant, after: place, head, limit: wanted, families });
      for (const row of rows) {
        found.push(logEntryOf(row));
        units += row.record?.length ?? 0;
      }
      place = through;
      step.adapt(rows);
      if (place < head) await pace.step();
    }
    if (units <= maxKeptUnits) this.#recent.keep({ tenant, families, after, limit, head, entries: [...found] }, purges);
    return found;
  }

  async check(tenant: TenantId, after: Sequence, limit: number, pace: ReadingPace): Promise<CheckedEntries> {
    const damaged: DamagedEntry[] = [];
    const step = new StepSize();
    let checked = 0;
    let through = after;
    while (checked < limit) {
      const wanted = Math.min(limit - checked, step.rows);
      const rows = this.#entries.all(tenant, through, wanted);
      for (const row of rows) {
        const damage = damageOfEntry(row, (sealed) => openEntry(this.#sealing.fields, tenant, sealed));
        if (damage !== undefined) damaged.push(damage);
      }
      checked += rows.length;
      through = rows.at(-1)?.sequence ?? through;
      if (rows.length < wanted) return { checked, damaged };
      step.adapt(rows);
      await pace.step();
    }
    return { through, checked, damaged };
  }

  /** What was committed: whoever follows the log asks for it at once. To be called in the order of the acknowledgements. */
  keepWritten(commit: EncodedCommit, committed: Committed): void {
    this.#written.keep(commit, committed);
  }

  /** Forgets what was read and written: some of it was purged, or is elsewhere. */
  forget(): void {
    this.#recent.forget();
    this.#written.forget();
  }

  async pending(projection: string, families: Families, pace: ReadingPace): Promise<PendingProjection[]> {
    const found: PendingProjection[] = [];
    const query = this.#pendingOf(families?.length ?? 0);
    const last = this.#lastTenant.get()?.id ?? 0;
    for (let id = 0; id < last; id += tenantsPerStep) {
      // Of most tenants there is nothing to say: a stretch of them costs one call, not one each.
      const rows = query.all(projection, id, id + tenantsPerStep, ...(families ?? []));
      for (const { tenant, head, acknowledged } of rows) found.push({ tenant, head, acknowledged });
      await pace.step();
    }
    return found;
  }

  /** Of a stretch of tenants. */
  #pendingOf(families: number): Query<PendingRow> {
    const known = this.#pending.get(families);
    if (known !== undefined) return known;
    const entries = "changes INDEXED BY changes_by_family WHERE tenant = t.id AND family";
    const heads = Array.from(
      { length: families },
      (_, place) => `coalesce((SELECT max(sequence) FROM ${entries} = ?${place + 4}), 0)`,
    );
    const head = families === 0 ? "t.head" : families === 1 ? heads[0] : `max(${heads.join(", ")})`;
    const query = prepareQuery<PendingRow>(
      this.#overview,
      `SELECT tenant, head, acknowledged FROM (
         SELECT t.name AS tenant, ${head} AS head, coalesce(p.acknowledged, 0) AS acknowledged
           FROM tenants AS t LEFT JOIN projections AS p ON p.tenant = t.id AND p.projection = ?1
           WHERE t.id > ?2 AND t.id <= ?3 AND t.head > coalesce(p.acknowledged, 0) ORDER BY t.id)
         WHERE head > acknowledged`,
    );
    this.#pending.set(families, query);
    return query;
  }

  /** What was written last is at hand; the rest is in the file. */
  #next(wanted: WantedEntries): WrittenRows {
    const written = this.#written.read(wanted);
    if (written.through > wanted.after) return written;
    const { tenant, after, head, limit, families } = wanted;
    const rows = openEntries(this.#sealing.fields, tenant, this.#rows(tenant, after, limit, families));
    return { rows, through: rows.length < limit ? head : (rows.at(-1)?.sequence ?? head) };
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
