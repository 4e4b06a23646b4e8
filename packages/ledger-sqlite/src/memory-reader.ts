import type { DatabaseSync } from "node:sqlite";
import type { Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import { storedMemoryOf, usageOf, type VersionRow } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { inSteps, type ReadingPace } from "./reading-pace.ts";
import { RecentlyRead } from "./recently-read.ts";

const versionColumns = "c.ref, c.record, c.recorded_at, c.sequence, c.content_hash, u.access_count, u.last_accessed_at";

/** A memory, and which change made its current version. */
type CurrentRow = Pick<VersionRow, "ref" | "sequence" | "access_count" | "last_accessed_at">;

/** Of versions that are kept in memory, counted in characters of their texts and a little for the rest. */
const recentWeight = 32 * 1024 * 1024;
const weightOfRest = 500;

/** Reads versions of memories: by ref, by place in the log, by history. */
export class MemoryReader {
  readonly #one: Query<VersionRow>;
  readonly #current: Query<CurrentRow>;
  readonly #atSequences: Query<VersionRow>;
  readonly #history: Query<{ sequence: Sequence }>;
  readonly #atPositions: Query<{ sequence: Sequence }>;
  readonly #lastPosition: Query<{ position: number | null }>;
  /** Many candidates of one recall are those of the next one in the same scopes. */
  readonly #recent = new RecentlyRead<StoredMemory>(recentWeight, ({ memory }) => memory.text.length + weightOfRest);

  constructor(database: DatabaseSync) {
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    const scope = `(SELECT id FROM scopes WHERE tenant = ${tenant} AND kind = ? AND name = ?)`;
    this.#one = prepareQuery(
      database,
      `SELECT ${versionColumns} FROM memories AS m
         CROSS JOIN changes AS c ON c.tenant = m.tenant AND c.sequence = m.sequence
         LEFT JOIN usage AS u ON u.tenant = m.tenant AND u.ref = m.ref
         WHERE m.tenant = ${tenant} AND m.ref = ?`,
    );
    // CROSS JOIN keeps SQLite to this order: each wanted value is looked up in an index.
    this.#current = prepareQuery(
      database,
      `SELECT m.ref, m.sequence, u.access_count, u.last_accessed_at FROM json_each(?) AS wanted
         CROSS JOIN memories AS m ON m.tenant = ${tenant} AND m.ref = wanted.value
         LEFT JOIN usage AS u ON u.tenant = m.tenant AND u.ref = m.ref`,
    );
    this.#atSequences = prepareQuery(
      database,
      `SELECT ${versionColumns} FROM json_each(?) AS wanted
         CROSS JOIN changes AS c ON c.tenant = ${tenant} AND c.sequence = wanted.value AND c.record IS NOT NULL
         LEFT JOIN usage AS u ON u.tenant = c.tenant AND u.ref = c.ref`,
    );
    this.#history = prepareQuery(
      database,
      `WITH RECURSIVE history (tenant, sequence) AS (
         SELECT tenant, sequence FROM memories WHERE tenant = ${tenant} AND ref = ?
         UNION ALL
         SELECT c.tenant, c.previous FROM history AS h CROSS JOIN changes AS c USING (tenant, sequence)
           WHERE c.previous IS NOT NULL
       )
       SELECT sequence FROM history`,
    );
    this.#atPositions = prepareQuery(
      database,
      `SELECT m.sequence FROM json_each(?) AS place
         CROSS JOIN memories AS m ON m.scope = ${scope} AND m.source_id = place.value ->> 0
           AND m.position = place.value ->> 1 AND m.active = 1
         ORDER BY place.key, m.ref`,
    );
    this.#lastPosition = prepareQuery(
      database,
      `SELECT max(position) AS position FROM memories
         WHERE scope = ${scope} AND source_id = ? AND position IS NOT NULL`,
    );
  }

  async current(tenant: TenantId, refs: readonly Ref[], pace: ReadingPace): Promise<Map<Ref, StoredMemory>> {
    const found = new Map<Ref, StoredMemory>();
    const [only] = refs;
    if (only !== undefined && refs.length === 1) {
      const row = this.#one.get(tenant, only);
      if (row !== undefined) found.set(row.ref, storedMemoryOf(row));
      return found;
    }
    for (const some of inSteps(refs)) {
      const rows = this.#current.all(JSON.stringify(some), tenant);
      const versions = this.#versions(tenant, rows);
      for (const row of rows) {
        const version = versions.get(row.sequence);
        if (version !== undefined) found.set(row.ref, { ...version, usage: usageOf(row) });
      }
      await pace.step();
    }
    return found;
  }

  /** Forgets what was read: some of it was purged. */
  forget(): void {
    this.#recent.clear();
  }

  /** The versions that rows name, read unless they were read lately. What a change has recorded never changes. */
  #versions(tenant: TenantId, rows: readonly CurrentRow[]): ReadonlyMap<Sequence, StoredMemory> {
    const versions = new Map<Sequence, StoredMemory>();
    const unread: Sequence[] = [];
    for (const { sequence } of rows) {
      const version = this.#recent.get(`${sequence} ${tenant}`);
      if (version === undefined) unread.push(sequence);
      else versions.set(sequence, version);
    }
    if (unread.length === 0) return versions;
    for (const row of this.#atSequences.all(JSON.stringify(unread), tenant)) {
      const version = frozenMemoryOf(row);
      versions.set(row.sequence, version);
      this.#recent.set(`${row.sequence} ${tenant}`, version);
    }
    return versions;
  }

  /** The versions that these changes made, in this order. */
  async atSequences(tenant: TenantId, sequences: readonly Sequence[], pace: ReadingPace): Promise<StoredMemory[]> {
    const found: StoredMemory[] = [];
    for (const some of inSteps(sequences)) {
      for (const row of this.#atSequences.all(JSON.stringify(some), tenant)) found.push(storedMemoryOf(row));
      await pace.step();
    }
    return found;
  }

  /** Oldest first. */
  async versions(tenant: TenantId, ref: Ref, pace: ReadingPace): Promise<StoredMemory[]> {
    const newestFirst = this.#history.all(tenant, ref).map((row) => row.sequence);
    return this.atSequences(tenant, newestFirst.toReversed(), pace);
  }

  /** By scope, place and ref, in the order given. */
  async atPositions(
    tenant: TenantId,
    scopes: readonly Scope[],
    places: readonly { readonly sourceId: string; readonly position: number }[],
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const sequences = new Set<Sequence>();
    for (const scope of scopes) {
      for (const some of inSteps(places)) {
        const pairs = JSON.stringify(some.map(({ sourceId, position }) => [sourceId, position]));
        const rows = this.#atPositions.all(pairs, tenant, scope.kind, scope.id ?? "");
        for (const row of rows) sequences.add(row.sequence);
        await pace.step();
      }
    }
    return this.atSequences(tenant, [...sequences], pace);
  }

  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): number | undefined {
    return this.#lastPosition.get(tenant, scope.kind, scope.id ?? "", sourceId)?.position ?? undefined;
  }
}

/** Several callers are given the same one: it must not change under any of them. */
function frozenMemoryOf(row: VersionRow): StoredMemory {
  const stored = storedMemoryOf(row);
  const { memory } = stored;
  const parts: readonly unknown[] = Object.values<unknown>({ ...memory });
  for (const part of [memory, ...parts]) Object.freeze(part);
  return stored;
}
