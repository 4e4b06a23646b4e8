import { setImmediate } from "node:timers/promises";
import type { DatabaseSync } from "node:sqlite";
import { formatScope, type Ref, type Scope, type ScopeText, type Sequence, type TenantId } from "@loci/domain";
import type { Ledger, MemoryPlace, StoredMemory } from "@loci/ledger";
import { type LedgerSealing, openEntry, storedMemoryOf, textKeysOf, type VersionRow } from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import { inSteps, type ReadingPace } from "./reading-pace.ts";
import type { RecentMemories } from "./recent-memories.ts";
import { StepSize } from "./step-size.ts";

const versionColumns = "c.record, c.recorded_at, c.sequence, c.content_hash, u.access_count, u.last_accessed_at";

/** A version that was current when it was found. */
export interface CurrentVersion {
  readonly ref: Ref;
  readonly sequence: Sequence;
}

/** Reads versions of memories: by ref, by place in the log, by history. */
export class MemoryReader {
  readonly #one: Query<VersionRow>;
  readonly #current: Query<VersionRow>;
  readonly #atSequences: Query<VersionRow>;
  readonly #history: Query<{ sequence: Sequence }>;
  readonly #atPositions: Query<CurrentVersion>;
  readonly #bySlot: Query<CurrentVersion>;
  readonly #byText: Query<CurrentVersion>;
  readonly #byKey: Query<{ sequence: Sequence }>;
  readonly #lastPosition: Query<{ position: number | null }>;
  /** Many candidates of one recall are those of the next one in the same scopes. */
  readonly #recent: RecentMemories;
  readonly #sealing: LedgerSealing;

  constructor(database: DatabaseSync, recent: RecentMemories, sealing: LedgerSealing) {
    this.#recent = recent;
    this.#sealing = sealing;
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    const scope = `(SELECT id FROM scopes WHERE tenant = ${tenant} AND kind = ? AND name = ?)`;
    const current = `CROSS JOIN changes AS c ON c.tenant = m.tenant AND c.sequence = m.sequence
         LEFT JOIN usage AS u ON u.tenant = m.tenant AND u.ref = m.ref`;
    this.#one = prepareQuery(
      database,
      `SELECT ${versionColumns} FROM memories AS m ${current} WHERE m.tenant = ${tenant} AND m.ref = ?`,
    );
    // CROSS JOIN keeps SQLite to this order: each wanted value is looked up in an index.
    this.#current = prepareQuery(
      database,
      `SELECT ${versionColumns} FROM json_each(?) AS wanted
         CROSS JOIN memories AS m ON m.tenant = ${tenant} AND m.ref = wanted.value ${current}`,
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
      `SELECT m.ref, m.sequence FROM json_each(?) AS place
         CROSS JOIN memories AS m ON m.scope = ${scope} AND m.source_id = place.value ->> 0
           AND m.position = place.value ->> 1 AND m.active = 1 AND m.ref IS NOT place.value ->> 2
         ORDER BY place.key, m.ref`,
    );
    // All values in one statement: one for each costs twenty times as much, most of it to begin and to end it.
    const largestRefs = (column: string): Query<CurrentVersion> =>
      prepareQuery(
        database,
        `SELECT m.ref, m.sequence FROM json_each(?) AS wanted
           CROSS JOIN memories AS m ON m.tenant = ${tenant} AND m.ref IN (
             SELECT n.ref FROM memories AS n
               WHERE n.scope = ${scope} AND n.${column} = wanted.value AND n.active = 1 ORDER BY n.ref DESC LIMIT ?)`,
      );
    this.#bySlot = largestRefs("slot");
    this.#byText = largestRefs("text_key");
    this.#byKey = prepareQuery(
      database,
      `SELECT m.sequence FROM json_each(?) AS wanted CROSS JOIN memories AS m ON m.scope = ${scope} AND m.key = wanted.value`,
    );
    this.#lastPosition = prepareQuery(
      database,
      `SELECT max(position) AS position FROM memories
         WHERE scope = ${scope} AND source_id = ? AND position IS NOT NULL`,
    );
  }

  /** In the order of the refs, wherever they come from. What is given is frozen: others are given the same. */
  async current(tenant: TenantId, refs: readonly Ref[], pace: ReadingPace): Promise<Map<Ref, StoredMemory>> {
    const found = new Map<Ref, StoredMemory>();
    const step = new StepSize();
    for (const some of step.cut(refs)) {
      const recent = some.map((ref) => this.#recent.get(tenant, ref));
      const unread = some.filter((_, index) => recent[index] === undefined);
      const rows = this.#currentRows(tenant, unread);
      step.adapt(rows);
      const read = this.#kept(tenant, rows);
      for (let index = 0; index < some.length; index++) {
        const ref = some[index] as Ref;
        const stored = recent[index] ?? read.get(ref);
        if (stored !== undefined) found.set(ref, stored);
      }
      await pace.step();
    }
    return found;
  }

  #kept(tenant: TenantId, rows: readonly VersionRow[]): ReadonlyMap<Ref, StoredMemory> {
    const read = new Map<Ref, StoredMemory>();
    const scopes = new Map<ScopeText, Scope>();
    for (const row of rows) {
      const stored = frozen(withSharedScope(this.#stored(tenant, row), scopes));
      read.set(stored.memory.id, stored);
      this.#recent.keep(tenant, stored);
    }
    return read;
  }

  #stored(tenant: TenantId, row: VersionRow): StoredMemory {
    return storedMemoryOf(openEntry(this.#sealing.fields, tenant, row));
  }

  #currentRows(tenant: TenantId, refs: readonly Ref[]): readonly VersionRow[] {
    const [only] = refs;
    if (only === undefined) return [];
    if (refs.length > 1) return this.#current.all(JSON.stringify(refs), tenant);
    const row = this.#one.get(tenant, only);
    return row === undefined ? [] : [row];
  }

  /** The versions that these changes made, in this order. */
  async atSequences(tenant: TenantId, sequences: readonly Sequence[], pace: ReadingPace): Promise<StoredMemory[]> {
    const found: StoredMemory[] = [];
    const step = new StepSize();
    for (const some of step.cut(sequences)) {
      const rows = this.#atSequences.all(JSON.stringify(some), tenant);
      for (const row of rows) found.push(this.#stored(tenant, row));
      step.adapt(rows);
      await pace.step();
    }
    return found;
  }

  /** As `atSequences`, of versions that are most likely still current, and so kept in memory. */
  async found(tenant: TenantId, versions: readonly CurrentVersion[], pace: ReadingPace): Promise<StoredMemory[]> {
    const current = await this.current(
      tenant,
      versions.map(({ ref }) => ref),
      pace,
    );
    const isCurrent = ({ ref, sequence }: CurrentVersion): boolean => current.get(ref)?.sequence === sequence;
    const replaced = versions.flatMap((version) => (isCurrent(version) ? [] : [version.sequence]));
    const others = replaced.length === 0 ? [] : await this.atSequences(tenant, replaced, pace);
    const bySequence = new Map(others.map((stored) => [stored.sequence, stored]));
    return versions.flatMap(({ ref, sequence }) => {
      const stored = bySequence.get(sequence) ?? current.get(ref);
      return stored?.sequence === sequence ? [stored] : [];
    });
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
    places: readonly MemoryPlace[],
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const found = new Map<Sequence, CurrentVersion>();
    for (const scope of scopes) {
      for (const some of inSteps(places)) {
        const pairs = JSON.stringify(
          some.map(({ sourceId, position, besides }) => [
            this.#sealing.columns.of(tenant, "source_id", sourceId),
            position,
            besides,
          ]),
        );
        const rows = this.#atPositions.all(pairs, tenant, scope.kind, scope.id ?? "");
        for (const version of rows) found.set(version.sequence, version);
        await pace.step();
      }
    }
    return this.found(tenant, [...found.values()], pace);
  }

  bySlots(
    tenant: TenantId,
    { scopes, slots, limitOfEach }: Parameters<Ledger["bySlots"]>[1],
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const sealed = this.#sealing.columns.all(tenant, "slot", slots);
    return this.#byValues(this.#bySlot, tenant, scopes, sealed, limitOfEach, pace);
  }

  async byTexts(
    tenant: TenantId,
    { scope, texts, limitOfEach }: Parameters<Ledger["byTexts"]>[1],
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const keys = await textKeysOf(texts, setImmediate);
    return this.#byValues(this.#byText, tenant, [scope], keys, limitOfEach, pace);
  }

  async byKeys(
    tenant: TenantId,
    { scope: { kind, id = "" }, keys }: Parameters<Ledger["byKeys"]>[1],
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const sequences: Sequence[] = [];
    const sealed = this.#sealing.columns.all(tenant, "key", [...new Set(keys)]);
    for (const some of inSteps(sealed)) {
      const rows = this.#byKey.all(JSON.stringify(some), tenant, kind, id);
      sequences.push(...rows.map(({ sequence }) => sequence));
      await pace.step();
    }
    return this.atSequences(tenant, sequences, pace);
  }

  async #byValues(
    query: Query<CurrentVersion>,
    tenant: TenantId,
    scopes: readonly Scope[],
    values: readonly string[],
    limitOfEach: number,
    pace: ReadingPace,
  ): Promise<StoredMemory[]> {
    const found = new Map<Sequence, CurrentVersion>();
    for (const { kind, id = "" } of scopes)
      for (const some of inSteps(values)) {
        const rows = query.all(JSON.stringify(some), tenant, tenant, kind, id, limitOfEach);
        for (const version of rows) found.set(version.sequence, version);
        await pace.step();
      }
    return this.found(tenant, [...found.values()], pace);
  }

  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): number | undefined {
    const source = this.#sealing.columns.of(tenant, "source_id", sourceId);
    return this.#lastPosition.get(tenant, scope.kind, scope.id ?? "", source)?.position ?? undefined;
  }
}

/**
 * Memories that were read together and lie in one scope have one object for it: every recall compares the scopes of its candidates, and
 * one that was just looked at is at hand.
 *
 * @param stored read just now, so that nobody else has it
 */
function withSharedScope(stored: StoredMemory, scopes: Map<ScopeText, Scope>): StoredMemory {
  const memory: { scope: Scope } = stored.memory;
  const text = formatScope(memory.scope);
  const shared = scopes.get(text);
  if (shared === undefined) scopes.set(text, memory.scope);
  else memory.scope = shared;
  return stored;
}

/** With everything in it: values that came from JSON. */
function frozen<Value extends object>(value: Value): Value {
  for (const name in value) {
    const part: unknown = value[name];
    if (typeof part === "object" && part !== null) frozen(part);
  }
  return Object.freeze(value);
}
