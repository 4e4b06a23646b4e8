import { setImmediate } from "node:timers/promises";
import type { CallOptions, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import { storedMemoryOf, textKeysOf, usageOf, type VersionRow } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import { RecentlyRead } from "./recently-read.ts";
import { type Statement, statement } from "./statement.ts";

/** Versions that are kept: those of some 20,000 memories. */
const mostBytes = 32 * 1024 * 1024;
/** What a version takes in bytes beside its text, its tags and its metadata, about. */
const bytesOfRest = 1_200;

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

/** With the sequences of the versions that are known, 0 for none. Of these nothing is looked up in the log. */
const current: Statement<CurrentRow> = statement(
  `SELECT f.sequence, u.access_count, u.last_accessed_at, c.record, c.recorded_at, c.content_hash
     FROM unnest($2::text[], $3::bigint[]) AS wanted (ref, known)
     JOIN memories AS f ON f.tenant = $1 AND f.ref = wanted.ref
     LEFT JOIN usage AS u ON u.tenant = $1 AND u.ref = f.ref
     LEFT JOIN LATERAL (
       SELECT record, recorded_at, content_hash FROM changes AS own
         WHERE f.sequence <> wanted.known AND own.tenant = $1 AND own.sequence = f.sequence OFFSET 0
     ) AS c ON true
     WHERE f.sequence = wanted.known OR c.record IS NOT NULL`,
);

const versions: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM changes AS c ${joinUsage}
     WHERE c.tenant = $1 AND c.ref = $2 AND c.type IN ('memoryWritten', 'memoryRemoved') AND c.record IS NOT NULL
     ORDER BY c.sequence`,
);

/**
 * The active memories at a `place` in a `scope`. LATERAL and OFFSET keep PostgreSQL from joining places before scopes, which reads
 * all positions of the tenant for each place.
 */
const activeAt = `LATERAL (
           SELECT own.sequence, own.ref FROM memories AS own
             WHERE own.tenant = $1 AND own.scope_kind = scope.kind AND own.scope_id = scope.id
               AND own.source_id = place.source_id AND own.position = place.position AND own.state = 'active'
             OFFSET 0
         )`;

/** By scope, place and ref, in the order given. */
const atPositions: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
       SELECT m.sequence, m.ref, min(scope.number) AS scope_number, min(place.number) AS place_number
         FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS scope (kind, id, number)
         CROSS JOIN unnest($4::text[], $5::bigint[]) WITH ORDINALITY AS place (source_id, position, number)
         CROSS JOIN ${activeAt} AS m
         GROUP BY m.sequence, m.ref
     ) AS f ${joinVersions}
     ORDER BY f.scope_number, f.place_number, f.ref`,
);

const neighbours: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
       SELECT DISTINCT m.sequence, m.ref FROM (
           SELECT DISTINCT own.source_id, own.position + step.by AS position
             FROM unnest($4::text[]) AS wanted (ref)
             JOIN memories AS own ON own.tenant = $1 AND own.ref = wanted.ref
             CROSS JOIN (VALUES (-1), (1)) AS step (by)
             WHERE own.source_id IS NOT NULL AND own.position IS NOT NULL
         ) AS place
         CROSS JOIN unnest($2::text[], $3::text[]) AS scope (kind, id)
         CROSS JOIN ${activeAt} AS m
         WHERE m.ref <> ALL ($4::text[])
     ) AS f ${joinVersions}`,
);

const bySlots: Statement<VersionRow> = statement(largestRefs("slot"));

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

const lastPosition: Statement<{ readonly position: number | null }> = statement(
  `SELECT max(position) AS position FROM memories
     WHERE tenant = $1 AND scope_kind = $2 AND scope_id = $3 AND source_id = $4 AND position IS NOT NULL`,
);

/** Reads versions of memories: by ref, by history, by what they cite. */
export class MemoryReader {
  readonly #connections: Connections;
  /** Without their usage. The database says with every answer which of them are still current. */
  readonly #recent = new RecentlyRead<Ref, StoredMemory>({ mostWeight: mostBytes, weightOf: bytesOf });

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async current(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>> {
    const kept = this.#recent.get(tenant, refs);
    const known = new Map<Sequence, StoredMemory>();
    for (const stored of kept.values()) known.set(stored.sequence, stored);
    const sequences = refs.map((ref) => kept.get(ref)?.sequence ?? 0);
    const { purges } = this.#recent;
    const found = new Map<Ref, StoredMemory>();
    for (const row of await this.#connections.read({ tenant }, current, [tenant, refs, sequences], call)) {
      const stored = row.record === null ? withUsage(known.get(row.sequence), row) : storedMemoryOf(row);
      if (stored === undefined) continue;
      found.set(stored.memory.id, stored);
      if (row.record !== null && purges === this.#recent.purges)
        this.#recent.set(tenant, stored.memory.id, { ...stored, memory: frozen(stored.memory) });
    }
    return found;
  }

  /** Forgets what was read: some of it was, or is about to be, purged. */
  forget(): void {
    this.#recent.forget();
  }

  /** Oldest first. */
  async versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const rows = await this.#connections.read({ tenant }, versions, [tenant, ref], call);
    return rows.map(storedMemoryOf);
  }

  async atPositions(
    tenant: TenantId,
    scopes: readonly Scope[],
    places: readonly { readonly sourceId: string; readonly position: number }[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const sources = places.map(({ sourceId }) => sourceId);
    const positions = places.map(({ position }) => position);
    const values = [tenant, ...scopeColumns(scopes), sources, positions];
    const rows = await this.#connections.read({ tenant }, atPositions, values, call);
    return rows.map(storedMemoryOf);
  }

  /** Without those that are given. */
  async neighbours(
    tenant: TenantId,
    scopes: readonly Scope[],
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns(scopes), refs];
    return (await this.#connections.read({ tenant }, neighbours, values, call)).map(storedMemoryOf);
  }

  async bySlots(
    tenant: TenantId,
    { scopes, slots, limitOfEach }: Parameters<Ledger["bySlots"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns(scopes), slots, limitOfEach];
    return (await this.#connections.read({ tenant }, bySlots, values, call)).map(storedMemoryOf);
  }

  async byTexts(
    tenant: TenantId,
    { scope, texts, limitOfEach }: Parameters<Ledger["byTexts"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns([scope]), await textKeysOf(texts, setImmediate), limitOfEach];
    return (await this.#connections.read({ tenant }, byTexts, values, call)).map(storedMemoryOf);
  }

  async lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<Sequence | undefined> {
    const values = [tenant, scope.kind, scope.id ?? "", sourceId];
    const [row] = await this.#connections.read({ tenant }, lastPosition, values);
    return row?.position ?? undefined;
  }
}

function withUsage(known: StoredMemory | undefined, row: CurrentRow): StoredMemory | undefined {
  return known && { ...known, usage: usageOf(row) };
}

/** With everything in it, as several callers are given it. */
function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === "object" && part !== null) frozen(part as object);
  return Object.freeze(value);
}

function bytesOf({ memory: { text, tags, metadata } }: StoredMemory): number {
  let characters = text.length;
  for (const tag of tags) characters += tag.length;
  for (const [name, value] of Object.entries(metadata)) characters += name.length + String(value).length;
  return 2 * characters + bytesOfRest;
}

/** Scopes as two arrays, for `unnest`. */
export function scopeColumns(scopes: readonly Scope[]): readonly [kinds: readonly string[], ids: readonly string[]] {
  return [scopes.map(({ kind }) => kind), scopes.map(({ id = "" }) => id)];
}
