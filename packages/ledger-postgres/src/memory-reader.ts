import { setImmediate } from "node:timers/promises";
import type { CallOptions, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import {
  type Ledger,
  type MemoriesWithNeighbours,
  type MemoryPlace,
  type StoredMemory,
  valuesOfSlot,
} from "@loci/ledger";
import { storedMemoryOf, textKeysOf, usageOf, type VersionRow } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { findByWords, type LookedUp, lookUp, type LookUpParts } from "./encryption/looked-up.ts";
import { KeptVersions } from "./kept-versions.ts";
import { type Statement, statement } from "./statement.ts";

/** Of a version `c` in the log and the usage `u` of its memory. */
export const versionColumns = "c.record, c.recorded_at, c.sequence, c.content_hash, u.access_count, u.last_accessed_at";

/** Adds the usage to versions `c`. */
export const joinUsage = "LEFT JOIN usage AS u ON u.tenant = $1 AND u.ref = c.ref";

/** Gives the versions that found entries `f` of the log made. */
export const joinVersions: string = `JOIN changes AS c ON c.tenant = $1 AND c.sequence = f.sequence AND c.record IS NOT NULL ${joinUsage}`;

/** Of a version that is known already only what may have changed since: its usage. */
type CurrentRow =
  | VersionRow
  | (Pick<VersionRow, "sequence" | "access_count" | "last_accessed_at"> & { readonly record: null });

/** Of an entry `f` of `memories`, whose version is looked up in the log only where `f.is_new`. */
const currentColumns = "f.sequence, u.access_count, u.last_accessed_at, c.record, c.recorded_at, c.content_hash";
const joinNewVersions = `LEFT JOIN usage AS u ON u.tenant = $1 AND u.ref = f.ref
     LEFT JOIN LATERAL (
       SELECT record, recorded_at, content_hash FROM changes AS one
         WHERE f.is_new AND one.tenant = $1 AND one.sequence = f.sequence OFFSET 0
     ) AS c ON true
     WHERE NOT f.is_new OR c.record IS NOT NULL`;

/**
 * The entries of given refs, with the sequences of the versions that are known, 0 for none. LATERAL and OFFSET have each looked
 * up by itself: joined otherwise, all memories of the tenant are read for the few that are asked for.
 */
const ownEntries = `unnest($2::text[], $3::bigint[]) AS wanted (ref, known) CROSS JOIN LATERAL (
       SELECT one.ref, one.sequence, one.sequence <> wanted.known AS is_new, one.source_id, one.position, one.scope_kind, one.scope_id, one.slot
         FROM memories AS one
         WHERE one.tenant = $1 AND one.ref = wanted.ref OFFSET 0
     )`;

const current: Statement<CurrentRow> = statement(`SELECT ${currentColumns} FROM ${ownEntries} AS f ${joinNewVersions}`);

const versions: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM changes AS c ${joinUsage}
     WHERE c.tenant = $1 AND c.ref = $2 AND c.type IN ('memoryWritten', 'memoryRemoved') AND c.record IS NOT NULL
     ORDER BY c.sequence`,
);

/**
 * The active memories at a `place` in a `scope`. LATERAL and OFFSET keep PostgreSQL from joining places before scopes, which reads
 * all positions of the tenant for each place.
 *
 * @param position the SQL of which positions of `one` are at the place
 */
function activeAt(position: string): string {
  return `LATERAL (
           SELECT one.sequence, one.ref FROM memories AS one
             WHERE one.tenant = $1 AND one.scope_kind = scope.kind AND one.scope_id = scope.id
               AND one.source_id = place.source_id AND ${position} AND one.state = 'active'
             OFFSET 0
         )`;
}

/** By scope, place and ref, in the order given. */
const atPositions: Statement<LookedUp<VersionRow>> = lookUp(
  `SELECT ${versionColumns} FROM (
       SELECT m.sequence, m.ref, min(scope.number) AS scope_number, min(place.number) AS place_number
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS scope (kind, id, number)
         CROSS JOIN unnest($4::text[], $5::bigint[], $6::text[]) WITH ORDINALITY AS place (source_id, position, besides, number)
         CROSS JOIN ${activeAt("one.position = place.position")} AS m
         WHERE m.ref IS DISTINCT FROM place.besides
         GROUP BY m.sequence, m.ref
     ) AS f ${joinVersions}
     ORDER BY f.scope_number, f.place_number, f.ref`,
);

/** Why a memory is among those with their neighbours. */
interface WhyFound {
  readonly is_own: boolean;
  readonly is_beside: boolean;
  readonly has_slot: boolean;
}

/**
 * As `current`, with the active memories at the same places and beside, and those with the same slots: $4, $5: scopes; $6: sequences of
 * versions of these that are known.
 */
const currentWithNeighbours: Statement<CurrentRow & WhyFound> = statement(
  `WITH own AS MATERIALIZED (SELECT f.* FROM ${ownEntries} AS f)
     SELECT f.is_own, f.is_beside, f.has_slot, ${currentColumns} FROM (
       SELECT every.sequence, every.ref, bool_and(every.is_new) AS is_new,
           bool_or(every.found = 'own') AS is_own, bool_or(every.found = 'beside') AS is_beside, bool_or(every.found = 'slot') AS has_slot
         FROM (
           SELECT sequence, ref, is_new, 'own' AS found FROM own
           UNION ALL
           SELECT m.sequence, m.ref, m.sequence <> ALL ($6::bigint[]), 'beside'
             FROM (
               SELECT DISTINCT source_id, position FROM own WHERE source_id IS NOT NULL AND position IS NOT NULL
             ) AS place
             CROSS JOIN unnest($4::text[], $5::text[]) AS scope (kind, id)
             CROSS JOIN ${activeAt("one.position BETWEEN place.position - 1 AND place.position + 1")} AS m
           UNION ALL
           SELECT m.sequence, m.ref, m.sequence <> ALL ($6::bigint[]), 'slot'
             FROM (
               SELECT DISTINCT own.scope_kind, own.scope_id, own.slot FROM own
                 JOIN unnest($4::text[], $5::text[]) AS scope (kind, id) ON scope.kind = own.scope_kind AND scope.id = own.scope_id
                 WHERE own.slot IS NOT NULL
             ) AS value
             CROSS JOIN LATERAL (
               SELECT one.sequence, one.ref FROM memories AS one
                 WHERE one.tenant = $1 AND one.scope_kind = value.scope_kind AND one.scope_id = value.scope_id
                   AND one.slot = value.slot AND one.state = 'active'
                 ORDER BY one.ref DESC LIMIT ${valuesOfSlot}
             ) AS m
         ) AS every GROUP BY every.sequence, every.ref
     ) AS f ${joinNewVersions}`,
);

const bySlots: Statement<LookedUp<VersionRow>> = lookUp(largestRefs("slot"));

const byTexts: Statement<VersionRow> = statement(largestRefs("text_key"));

/** Of each value in each scope the active memories with the largest refs. */
function largestRefs(column: "slot" | "text_key"): string {
  return `SELECT ${versionColumns} FROM (
       SELECT DISTINCT found.sequence
         FROM unnest($2::text[], $3::text[]) AS scope (kind, id) CROSS JOIN unnest($4::text[]) AS wanted (value)
         CROSS JOIN LATERAL (
         SELECT m.sequence FROM memories AS m
           WHERE m.tenant = $1 AND m.scope_kind = scope.kind AND m.scope_id = scope.id AND m.${column} = wanted.value
             AND m.state = 'active'
           ORDER BY m.ref DESC LIMIT $5
       ) AS found
     ) AS f ${joinVersions}
     ORDER BY f.sequence`;
}

/** The memory with the key `wanted` in its scope: of several, the oldest. */
export const holderOfKey = `SELECT m.ref, m.sequence FROM memories AS m
         WHERE m.tenant = $1 AND m.scope_kind = wanted.kind AND m.scope_id = wanted.id AND m.key = wanted.key
           AND m.state <> 'deleted'
         ORDER BY m.ref LIMIT 1`;

const byKeys: Statement<LookedUp<VersionRow>> = lookUp(
  `SELECT ${versionColumns} FROM (
       SELECT found.sequence FROM (SELECT $2::text AS kind, $3::text AS id, key FROM unnest($4::text[]) AS key) AS wanted
         CROSS JOIN LATERAL (${holderOfKey}) AS found
     ) AS f ${joinVersions}
     ORDER BY f.sequence`,
);

const lastPosition: Statement<LookedUp<{ readonly position: number | null }>> = lookUp(
  `SELECT max(position) AS position FROM memories
     WHERE tenant = $1 AND scope_kind = $2 AND scope_id = $3 AND source_id = $4 AND position IS NOT NULL`,
);

/** Reads versions of memories: by ref, by history, by what they cite. */
export class MemoryReader {
  readonly #connections: Connections;
  readonly #keys: LedgerKeys;
  readonly #lookUps: LookUpParts;
  readonly #kept = new KeptVersions();

  constructor(connections: Connections, keys: LedgerKeys) {
    this.#connections = connections;
    this.#keys = keys;
    this.#lookUps = { connections, keys };
  }

  async current(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>> {
    const kept = this.#kept.get(tenant, refs);
    const take = this.#taking(tenant, kept.values());
    const values = [tenant, refs, sequencesOf(refs, kept)];
    const rows = await this.#connections.read({ tenant }, current, values, call);
    return byRef(rows.flatMap((row) => take(row) ?? []));
  }

  async withNeighbours(
    tenant: TenantId,
    scopes: readonly Scope[],
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<MemoriesWithNeighbours> {
    const kept = this.#kept.get(tenant, refs);
    const beside = this.#kept.beside(tenant, kept.values());
    const take = this.#taking(tenant, [...kept.values(), ...beside]);
    const known = beside.map(({ sequence }) => sequence);
    const values = [tenant, refs, sequencesOf(refs, kept), ...scopeColumns(scopes), known];
    const [memories, neighbours, sameSlot]: [StoredMemory[], StoredMemory[], StoredMemory[]] = [[], [], []];
    for (const row of await this.#connections.read({ tenant }, currentWithNeighbours, values, call)) {
      const stored = take(row);
      if (stored === undefined) continue;
      if (row.is_own) memories.push(stored);
      else {
        if (row.is_beside) neighbours.push(stored);
        if (row.has_slot) sameSlot.push(stored);
      }
    }
    return { memories: byRef(memories), neighbours, sameSlot };
  }

  /** What makes memories of rows, and keeps the versions that were not known, unless something was purged meanwhile. */
  #taking(tenant: TenantId, kept: Iterable<StoredMemory>): (row: CurrentRow) => StoredMemory | undefined {
    const known = new Map<Sequence, StoredMemory>();
    for (const stored of kept) known.set(stored.sequence, stored);
    const { purges } = this.#kept;
    return (row) => {
      if (row.record === null) return withUsage(known.get(row.sequence), row);
      const stored = this.#stored(tenant, row);
      if (purges === this.#kept.purges) this.#kept.keep(tenant, stored);
      return stored;
    };
  }

  /** Forgets what was read: some of it was, or is about to be, purged. */
  forget(): void {
    this.#kept.forget();
  }

  /** Oldest first. */
  async versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const rows = await this.#connections.read({ tenant }, versions, [tenant, ref], call);
    return rows.map((row) => this.#stored(tenant, row));
  }

  async atPositions(
    tenant: TenantId,
    scopes: readonly Scope[],
    places: readonly MemoryPlace[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const sources = places.map(({ sourceId }) => sourceId);
    const positions = places.map(({ position }) => position);
    const known = places.map(({ besides }) => besides ?? null);
    const { rows } = await findByWords(
      this.#lookUps,
      tenant,
      atPositions,
      (columns) => [tenant, ...scopeColumns(scopes), columns.all(tenant, "source_id", sources), positions, known],
      call,
    );
    return rows.map((row) => this.#stored(tenant, row));
  }

  async bySlots(
    tenant: TenantId,
    { scopes, slots, limitOfEach }: Parameters<Ledger["bySlots"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const { rows } = await findByWords(
      this.#lookUps,
      tenant,
      bySlots,
      (columns) => [tenant, ...scopeColumns(scopes), columns.all(tenant, "slot", slots), limitOfEach],
      call,
    );
    return rows.map((row) => this.#stored(tenant, row));
  }

  async byTexts(
    tenant: TenantId,
    { scope, texts, limitOfEach }: Parameters<Ledger["byTexts"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns([scope]), await textKeysOf(texts, setImmediate), limitOfEach];
    const rows = await this.#connections.read({ tenant }, byTexts, values, call);
    return rows.map((row) => this.#stored(tenant, row));
  }

  async byKeys(
    tenant: TenantId,
    { scope, keys }: Parameters<Ledger["byKeys"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const distinct = [...new Set(keys)];
    const { rows } = await findByWords(
      this.#lookUps,
      tenant,
      byKeys,
      (columns) => [tenant, scope.kind, scope.id ?? "", columns.all(tenant, "key", distinct)],
      call,
    );
    return rows.map((row) => this.#stored(tenant, row));
  }

  async lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<Sequence | undefined> {
    const { rows } = await findByWords(this.#lookUps, tenant, lastPosition, (columns) => [
      tenant,
      scope.kind,
      scope.id ?? "",
      columns.of(tenant, "source_id", sourceId),
    ]);
    return rows[0]?.position ?? undefined;
  }

  #stored(tenant: TenantId, row: VersionRow): StoredMemory {
    return storedMemoryOf(this.#keys.entry(tenant, row));
  }
}

function withUsage(known: StoredMemory | undefined, row: CurrentRow): StoredMemory | undefined {
  return known && { ...known, usage: usageOf(row) };
}

function byRef(memories: readonly StoredMemory[]): ReadonlyMap<Ref, StoredMemory> {
  return new Map(memories.map((stored) => [stored.memory.id, stored]));
}

/** Of what is kept of them, 0 for nothing. */
function sequencesOf(refs: readonly Ref[], kept: ReadonlyMap<Ref, StoredMemory>): readonly Sequence[] {
  return refs.map((ref) => kept.get(ref)?.sequence ?? 0);
}

/** Scopes as two arrays, for `unnest`. */
export function scopeColumns(scopes: readonly Scope[]): readonly [kinds: readonly string[], ids: readonly string[]] {
  return [scopes.map(({ kind }) => kind), scopes.map(({ id = "" }) => id)];
}
