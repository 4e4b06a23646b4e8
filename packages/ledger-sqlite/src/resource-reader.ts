import type { DatabaseSync } from "node:sqlite";
import type { Ref, Scope, TenantId } from "@loci/domain";
import {
  type Family,
  type LogEntry,
  type ResourceEntriesQuery,
  type ResourceQuery,
  resourcePurged,
  type ScanQuery,
  type StoredResource,
} from "@loci/ledger";
import {
  type EntryRow,
  type LedgerSealing,
  logEntryOf,
  openEntry,
  openState,
  type ResourceRow,
  storedResourceOf,
} from "@loci/ledger/sql";
import { prepareQuery, type Query } from "./query.ts";
import type { ReadingPace } from "./reading-pace.ts";
import { StepSize } from "./step-size.ts";

const tenantId = "(SELECT id FROM tenants WHERE name = ?)";
const scopeIds = `(SELECT s.id FROM json_each(?) AS wanted CROSS JOIN scopes AS s
  ON s.tenant = ${tenantId} AND s.kind = wanted.value ->> 0 AND s.name = wanted.value ->> 1)`;
const columns = `r.ref, r.family, s.kind AS scope_kind, s.name AS scope_id, r.belongs_to, r.version, r.sequence,
  r.recorded_at, r.state`;
/** No version is as large. */
const noVersion = Number.MAX_SAFE_INTEGER;

/** Reads resources of families without tables of their own, and what happened to them. */
export class ResourceReader {
  readonly #sealing: LedgerSealing;
  readonly #current: Query<ResourceRow>;
  readonly #ofScopes: Query<ResourceRow>;
  readonly #ofGroup: Query<ResourceRow>;
  readonly #fromGroup: Query<ResourceRow>;
  readonly #refs: Query<{ ref: Ref }>;
  readonly #refsOfScopes: Query<{ ref: Ref }>;
  readonly #entries: Readonly<Record<ResourceEntriesQuery["order"], Query<EntryRow>>>;

  constructor(database: DatabaseSync, sealing: LedgerSealing) {
    this.#sealing = sealing;
    const resources = (from: string, condition: string): Query<ResourceRow> =>
      prepareQuery(database, `SELECT ${columns} FROM ${from} CROSS JOIN scopes AS s ON s.id = r.scope ${condition}`);
    this.#current = resources(
      `json_each(?) AS wanted CROSS JOIN resources AS r ON r.tenant = ${tenantId} AND r.ref = wanted.value`,
      "WHERE r.family = ?",
    );
    const page = "r.ref > ? AND r.state IS NOT NULL ORDER BY r.ref LIMIT ?";
    this.#ofScopes = resources("resources AS r", `WHERE r.scope IN ${scopeIds} AND r.family = ? AND ${page}`);
    // By itself SQLite goes through all that the tenant has, as that is in the order of the refs as well.
    this.#ofGroup = resources(
      "resources AS r INDEXED BY resources_by_group",
      `WHERE r.tenant = ${tenantId} AND r.family = ? AND r.belongs_to = ? AND r.belongs_to <> '' AND ${page}`,
    );
    this.#fromGroup = resources(
      "resources AS r INDEXED BY resources_by_group",
      `WHERE r.tenant = ${tenantId} AND r.family = ? AND r.belongs_to <> '' AND (r.belongs_to, r.ref) > (?, ?)
         AND r.state IS NOT NULL ORDER BY r.belongs_to, r.ref LIMIT ?`,
    );
    this.#refs = prepareQuery(
      database,
      `SELECT ref FROM resources WHERE tenant = ${tenantId} AND ref > ? ORDER BY ref LIMIT ?`,
    );
    this.#refsOfScopes = prepareQuery(
      database,
      `SELECT ref FROM resources WHERE scope IN ${scopeIds} AND ref > ? ORDER BY ref LIMIT ?`,
    );
    const entries = (order: "ASC" | "DESC"): Query<EntryRow> =>
      prepareQuery(
        database,
        `SELECT sequence, recorded_at, family, type, ref, version, subject, activity, reason, content_hash, record,
             NULL AS space
           FROM changes INDEXED BY changes_of_resource
           WHERE tenant = ${tenantId} AND ref = ? AND version > ? AND version < ? AND family = ? AND family <> 'memories'
             AND type <> '${resourcePurged}'
           ORDER BY version ${order} LIMIT ?`,
      );
    this.#entries = { oldestFirst: entries("ASC"), newestFirst: entries("DESC") };
  }

  async get(
    tenant: TenantId,
    family: Family,
    refs: readonly Ref[],
    pace: ReadingPace,
  ): Promise<Map<Ref, StoredResource>> {
    const found = new Map<Ref, StoredResource>();
    const step = new StepSize();
    for (const some of step.cut(refs)) {
      const rows = this.#current.all(JSON.stringify(some), tenant, family);
      for (const row of rows) found.set(row.ref, this.#stored(tenant, row));
      step.adapt(rows);
      await pace.step();
    }
    return found;
  }

  async list(tenant: TenantId, query: ResourceQuery, pace: ReadingPace): Promise<StoredResource[]> {
    const { limit } = query;
    const found: StoredResource[] = [];
    const step = new StepSize();
    while (found.length < limit) {
      const wanted = Math.min(limit - found.length, step.rows);
      const rows = this.#stretch(tenant, query, found.at(-1), wanted);
      for (const row of rows) found.push(this.#stored(tenant, row));
      if (rows.length < wanted) break;
      step.adapt(rows);
      await pace.step();
    }
    return found;
  }

  #stored(tenant: TenantId, row: ResourceRow): StoredResource {
    return storedResourceOf(openState(this.#sealing.fields, tenant, row));
  }

  #stretch(
    tenant: TenantId,
    query: ResourceQuery,
    last: StoredResource | undefined,
    limit: number,
  ): readonly ResourceRow[] {
    const { family } = query;
    const after = last?.ref ?? query.after ?? "";
    if ("group" in query) return this.#ofGroup.all(tenant, family, query.group, after, limit);
    if ("scopes" in query) return this.#ofScopes.all(placesOf(query.scopes), tenant, family, after, limit);
    return this.#fromGroup.all(tenant, family, last?.group ?? query.fromGroup, after, limit);
  }

  async entries(tenant: TenantId, query: ResourceEntriesQuery, pace: ReadingPace): Promise<LogEntry[]> {
    const { family, ref, order, limit } = query;
    let { after = 0, before = noVersion } = query;
    const found: LogEntry[] = [];
    const step = new StepSize();
    while (found.length < limit) {
      const wanted = Math.min(limit - found.length, step.rows);
      const rows = this.#entries[order].all(tenant, ref, after, before, family, wanted);
      for (const row of rows) found.push(logEntryOf(openEntry(this.#sealing.fields, tenant, row)));
      const last = rows.at(-1);
      if (last === undefined || rows.length < wanted) break;
      if (order === "oldestFirst") after = last.version;
      else before = last.version;
      step.adapt(rows);
      await pace.step();
    }
    return found;
  }

  /** Of every family, tombstones included, by ref. */
  refs(tenant: TenantId, { after = "" as Ref, limit, scopes }: ScanQuery): readonly Ref[] {
    const rows =
      scopes === undefined
        ? this.#refs.all(tenant, after, limit)
        : this.#refsOfScopes.all(placesOf(scopes), tenant, after, limit);
    return rows.map(({ ref }) => ref);
  }
}

function placesOf(scopes: readonly Scope[]): string {
  return JSON.stringify(scopes.map(({ kind, id }) => [kind, id ?? ""]));
}
