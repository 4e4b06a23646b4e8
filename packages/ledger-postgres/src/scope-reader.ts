import type { CallOptions, Category, MemoryState, Scope, TenantId } from "@loci/domain";
import {
  type KnownAtQuery,
  type ListQuery,
  type NewestQuery,
  type ScanQuery,
  type StandingQuery,
  type StoredMemory,
  type TagQuery,
  tooManyVersions,
} from "@loci/ledger";
import { lowerCaseTags, storedMemoryOf, type VersionRow } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { findByWords, type LookedUp, lookUp } from "./encryption/looked-up.ts";
import { joinVersions, scopeColumns, versionColumns } from "./memory-reader.ts";
import { type Statement, statement } from "./statement.ts";

const active: readonly MemoryState[] = ["active"];

/**
 * What lists have in common: each scope's index is read from its newest end, no further than a whole answer, and the ends
 * are merged. $2, $3: scopes; $4: evaluation time; $5, $6: where the page before ended; $7: categories; $8: limit.
 */
function newestFirst(ranges: string, entries: string): string {
  return `SELECT ${versionColumns} FROM (
      SELECT DISTINCT ON (entry.created_at, entry.ref) entry.sequence, entry.created_at, entry.ref
        FROM ${ranges} CROSS JOIN LATERAL (${entries}) AS entry
        ORDER BY entry.created_at DESC, entry.ref LIMIT $8
    ) AS f ${joinVersions}
    ORDER BY f.created_at DESC, f.ref`;
}

function newestOf(table: string, condition: string): string {
  return `SELECT m.sequence, m.created_at, m.ref FROM ${table} AS m
    WHERE m.tenant = $1 AND m.scope_kind = range.kind AND m.scope_id = range.id AND ${condition}
      AND ($5::bigint IS NULL OR (m.created_at <= $5 AND (m.created_at < $5 OR m.ref > $6::text)))
      AND (m.expires_at IS NULL OR m.expires_at > $4)
      AND ($7::text[] IS NULL OR m.category = ANY ($7))
    ORDER BY m.created_at DESC, m.ref LIMIT $8`;
}

const everyScope = "unnest($2::text[], $3::text[]) AS range (kind, id)";

const list: Statement<VersionRow> = statement(newestFirst(everyScope, newestOf("memories", "m.state = 'active'")));

/**
 * Whether the version of an entry `m` says that it was true at $9, as `heldAt`; null: whatever it says. Such a subquery is asked
 * of one entry after the other, and of no more than the answer takes: joined, all versions of the tenant may be read.
 */
const held = `($9::bigint IS NULL OR (
    SELECT coalesce((v.record::json ->> 'validFrom')::bigint <= $9, true)
        AND coalesce($9 < (v.record::json ->> 'validTo')::bigint, v.record::json ->> 'supersededBy' IS NULL)
      FROM changes AS v WHERE v.tenant = $1 AND v.sequence = m.sequence))`;

/** Whether an entry `m` is no tombstone of a memory that waited for approval, or a parameter says that those are given, too. */
export function mayBeGiven(parameter: string): string {
  return `(m.state <> 'deleted' OR ${parameter}::boolean OR (
    SELECT v.record::json ->> 'state' FROM changes AS v
      WHERE v.tenant = $1 AND v.ref = m.ref AND v.sequence < m.sequence AND v.type IN ('memoryWritten', 'memoryRemoved')
      ORDER BY v.sequence DESC LIMIT 1) IS DISTINCT FROM 'quarantined')`;
}

const heldAndActive = newestOf("memories", `m.state = 'active' AND ${held}`);
/** $10: in which states. */
const heldAndInactive = newestOf(
  "memories",
  `m.state <> 'active' AND m.state = ANY ($10::text[]) AND ${held} AND ${mayBeGiven("$11")}`,
);

const listHeld: Statement<VersionRow> = statement(newestFirst(everyScope, heldAndActive));
const listInactive: Statement<VersionRow> = statement(newestFirst(everyScope, heldAndInactive));
const listEverything: Statement<VersionRow> = statement(
  newestFirst(everyScope, `(${heldAndActive}) UNION ALL (${heldAndInactive})`),
);

const byTags: Statement<LookedUp<VersionRow>> = lookUp(
  newestFirst(
    "(SELECT * FROM unnest($2::text[], $3::text[]) AS s (kind, id) CROSS JOIN unnest($9::text[]) AS t (tag)) AS range",
    newestOf("tags", "m.tag = range.tag"),
  ),
);

/** $2, $3: scopes; $4: evaluation time; $5: limit of each. */
const standing: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
     SELECT entry.sequence, entry.standing, entry.ref, min(scope.number) AS number
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS scope (kind, id, number)
       CROSS JOIN LATERAL (
         SELECT m.sequence, m.standing, m.ref FROM memories AS m
           WHERE m.tenant = $1 AND m.scope_kind = scope.kind AND m.scope_id = scope.id AND m.state = 'active'
             AND m.standing IS NOT NULL AND (m.expires_at IS NULL OR m.expires_at > $4)
           ORDER BY m.standing DESC, m.ref LIMIT $5
       ) AS entry
       GROUP BY entry.sequence, entry.standing, entry.ref
   ) AS f ${joinVersions}
   ORDER BY f.number, f.standing DESC, f.ref`,
);

/** From each tag to the next larger one: a tag of very many memories costs no more than one of a single memory. */
const tags: Statement<LookedUp<{ readonly tag: string }>> = lookUp(
  `WITH RECURSIVE steps (kind, id, tag) AS (
     SELECT scope.kind, scope.id, ${nextTag("scope", "''")}
       FROM unnest($2::text[], $3::text[]) AS scope (kind, id)
     UNION ALL
     SELECT steps.kind, steps.id, ${nextTag("steps", "steps.tag")} FROM steps WHERE steps.tag IS NOT NULL
   )
   SELECT DISTINCT tag FROM steps WHERE tag IS NOT NULL`,
);

function nextTag(range: string, after: string): string {
  return `(SELECT t.tag FROM tags AS t
    WHERE t.tenant = $1 AND t.scope_kind = ${range}.kind AND t.scope_id = ${range}.id AND t.category = $4
      AND t.tag > ${after} ORDER BY t.tag LIMIT 1)`;
}

/** By halving: times never decrease along the log, which has no gaps. */
const knownAt: Statement<VersionRow> = statement(
  `WITH RECURSIVE halves (low, high) AS (
     SELECT 0::bigint, head FROM tenants WHERE tenant = $1
     UNION ALL
     SELECT CASE WHEN middle.is_known THEN middle.sequence ELSE h.low END,
            CASE WHEN middle.is_known THEN h.high ELSE middle.sequence - 1 END
       FROM halves AS h CROSS JOIN LATERAL (
         SELECT c.sequence, c.recorded_at <= $4 AS is_known FROM changes AS c
           WHERE c.tenant = $1 AND c.sequence = (h.low + h.high + 1) / 2
       ) AS middle
       WHERE h.low < h.high
   ), known AS MATERIALIZED (
     SELECT low AS last FROM halves WHERE low = high
   )
   SELECT ${versionColumns} FROM (
     SELECT DISTINCT v.sequence
       FROM known CROSS JOIN unnest($2::text[], $3::text[]) AS scope (kind, id)
       JOIN active_versions AS v ON v.tenant = $1 AND v.scope_kind = scope.kind AND v.scope_id = scope.id
         AND v.sequence <= known.last AND (v.ended IS NULL OR v.ended > known.last)
       LIMIT $5
   ) AS f ${joinVersions}
   ORDER BY f.sequence`,
);

const scan: Statement<VersionRow> = statement(
  `SELECT ${versionColumns} FROM (
     SELECT m.ref, m.sequence FROM memories AS m
       WHERE m.tenant = $1 AND m.ref > $2 AND ($3::text[] IS NULL
         OR EXISTS (SELECT 1 FROM unnest($3, $4::text[]) AS scope (kind, id)
                      WHERE scope.kind = m.scope_kind AND scope.id = m.scope_id))
       ORDER BY m.ref LIMIT $5
   ) AS f ${joinVersions}
   ORDER BY f.ref`,
);

/** Reads what is in scopes. */
export class ScopeReader {
  readonly #connections: Connections;

  readonly #keys: LedgerKeys;

  constructor(connections: Connections, keys: LedgerKeys) {
    this.#connections = connections;
    this.#keys = keys;
  }

  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const { states = active, validAt, withUnapproved = false } = query;
    const values = listValues(tenant, query);
    if (states.some((state) => state !== "active")) {
      const statement = states.includes("active") ? listEverything : listInactive;
      return this.#versions(tenant, statement, [...values, validAt ?? null, states, withUnapproved], call);
    }
    if (validAt !== undefined) return this.#versions(tenant, listHeld, [...values, validAt], call);
    return this.#versions(tenant, list, values, call);
  }

  standing(tenant: TenantId, query: StandingQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns(query.scopes), query.evaluationTime, query.limit];
    return this.#versions(tenant, standing, values, call);
  }

  async byTags(tenant: TenantId, query: TagQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const { rows } = await findByWords(
      { connections: this.#connections, keys: this.#keys },
      tenant,
      byTags,
      (columns) => [...listValues(tenant, query), columns.all(tenant, "tag", lowerCaseTags(query.tags))],
      call,
    );
    return this.#stored(tenant, rows);
  }

  async tags(
    tenant: TenantId,
    scopes: readonly Scope[],
    category: Category,
    call?: CallOptions,
  ): Promise<readonly string[]> {
    const parts = { connections: this.#connections, keys: this.#keys };
    const values = [tenant, ...scopeColumns(scopes), category];
    const { rows, columns } = await findByWords(parts, tenant, tags, () => values, call);
    return rows.map(({ tag }) => columns.word(tenant, "tag", tag));
  }

  /** @throws LociError `TOO_MANY_VERSIONS` */
  async knownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const values = [tenant, ...scopeColumns(query.scopes), query.knownAt, query.limit + 1];
    const found = await this.#versions(tenant, knownAt, values, call);
    if (found.length > query.limit) throw tooManyVersions(query);
    return found;
  }

  scan(tenant: TenantId, query: ScanQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    const scopes = query.scopes === undefined ? [null, null] : scopeColumns(query.scopes);
    return this.#versions(tenant, scan, [tenant, query.after ?? "", ...scopes, query.limit], call);
  }

  async #versions(
    tenant: TenantId,
    wanted: Statement<VersionRow>,
    values: readonly unknown[],
    call: CallOptions | undefined,
  ): Promise<readonly StoredMemory[]> {
    const rows = await this.#connections.read({ tenant }, wanted, values, call);
    return this.#stored(tenant, rows);
  }

  #stored(tenant: TenantId, rows: readonly VersionRow[]): readonly StoredMemory[] {
    return rows.map((row) => storedMemoryOf(this.#keys.entry(tenant, row)));
  }
}

function listValues(tenant: TenantId, query: NewestQuery): readonly unknown[] {
  const { scopes, evaluationTime, after, categories, limit } = query;
  return [
    tenant,
    ...scopeColumns(scopes),
    evaluationTime,
    after?.createdAt ?? null,
    after?.ref ?? null,
    categories ?? null,
    limit,
  ];
}
