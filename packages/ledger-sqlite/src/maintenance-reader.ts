import type { DatabaseSync } from "node:sqlite";
import type { Instant, Ref, Scope, Sequence, TenantId } from "@loci/domain";
import type { PurgedQuery, PurgedRef, ScanQuery, TenantsQuery } from "@loci/ledger";
import { prepareQuery, type Query } from "./query.ts";
import { type ReadingPace, rowsPerStep } from "./reading-pace.ts";

/** Stands in the place of the tenant for settings of the deployment. */
export const deployment = "";

/** Beyond every ref. */
const noRef = "";

interface ScannedRow {
  readonly ref: Ref;
  readonly sequence: Sequence;
  readonly scope: number;
}

/** Reads what only maintenance asks for: tenants, memories by ref, what was purged and shown, settings. */
export class MaintenanceReader {
  readonly #tenants: Query<{ name: TenantId }>;
  readonly #count: Query<{ count: number }>;
  readonly #scan: Query<ScannedRow>;
  readonly #scope: Query<{ id: number }>;
  readonly #purged: Query<{ ref: Ref; purged_at: Instant }>;
  readonly #purgedAmong: Query<{ ref: Ref; purged_at: Instant }>;
  readonly #shown: Query<{ count: number }>;
  readonly #setting: Query<{ value: string }>;
  readonly #settings: Query<{ name: string; value: string }>;
  readonly #tenantsWithSetting: Query<{ tenant: TenantId }>;

  /** @param overview reads what concerns all tenants */
  constructor(database: DatabaseSync, overview: DatabaseSync) {
    const tenant = "(SELECT id FROM tenants WHERE name = ?)";
    this.#tenants = prepareQuery(
      overview,
      `SELECT name FROM tenants WHERE name > ? AND head > 0 ORDER BY name LIMIT ?`,
    );
    this.#count = prepareQuery(database, `SELECT count(*) AS count FROM memories WHERE tenant = ${tenant}`);
    this.#scan = prepareQuery(
      database,
      `SELECT ref, sequence, scope FROM memories WHERE tenant = ${tenant} AND ref > ? ORDER BY ref LIMIT ?`,
    );
    this.#scope = prepareQuery(database, `SELECT id FROM scopes WHERE tenant = ${tenant} AND kind = ? AND name = ?`);
    this.#purged = prepareQuery(
      database,
      `SELECT ref, purged_at FROM purged WHERE tenant = ${tenant} AND ref > ? ORDER BY ref LIMIT ?`,
    );
    this.#purgedAmong = prepareQuery(
      database,
      `SELECT p.ref, p.purged_at FROM json_each(?) AS wanted
         CROSS JOIN purged AS p ON p.tenant = ${tenant} AND p.ref = wanted.value`,
    );
    this.#shown = prepareQuery(database, `SELECT count FROM shown WHERE tenant = ${tenant} AND ref = ?`);
    this.#setting = prepareQuery(database, "SELECT value FROM settings WHERE tenant = ? AND name = ?");
    this.#settings = prepareQuery(
      database,
      "SELECT name, value FROM settings WHERE tenant = ? AND name >= ? ORDER BY name",
    );
    this.#tenantsWithSetting = prepareQuery(
      overview,
      `SELECT tenant FROM settings AS every WHERE name = ? AND tenant <> '${deployment}' ORDER BY tenant`,
    );
  }

  async tenants({ after, limit = Infinity }: TenantsQuery, pace: ReadingPace): Promise<TenantId[]> {
    const found: TenantId[] = [];
    for (;;) {
      const asked = Math.min(4 * rowsPerStep, limit - found.length);
      const rows = this.#tenants.all(found.at(-1) ?? after ?? "", asked);
      for (const { name } of rows) found.push(name);
      if (rows.length < asked || found.length >= limit) return found;
      await pace.step();
    }
  }

  count(tenant: TenantId): number {
    return this.#count.get(tenant)?.count ?? 0;
  }

  /** The changes that made the current versions, by ref. */
  async scan(
    tenant: TenantId,
    { after = noRef as Ref, limit, scopes }: ScanQuery,
    pace: ReadingPace,
  ): Promise<Sequence[]> {
    const wanted = scopes === undefined ? undefined : new Set(scopes.map((scope) => this.#scopeId(tenant, scope)));
    const found: Sequence[] = [];
    let last = after;
    while (found.length < limit) {
      // In one scope of many few rows count, so that more of them have to be looked at.
      const asked = wanted === undefined ? Math.min(limit - found.length, rowsPerStep) : 4 * rowsPerStep;
      const rows = this.#scan.all(tenant, last, asked);
      for (const row of rows) {
        if (found.length < limit && (wanted === undefined || wanted.has(row.scope))) found.push(row.sequence);
        last = row.ref;
      }
      if (rows.length < asked) break;
      await pace.step();
    }
    return found;
  }

  purged(tenant: TenantId, { after = noRef as Ref, limit, refs }: PurgedQuery): readonly PurgedRef[] {
    const rows =
      refs === undefined
        ? this.#purged.all(tenant, after, limit)
        : this.#purgedAmong.all(wantedAfter(refs, after), tenant).slice(0, limit);
    return rows.map(({ ref, purged_at }) => ({ ref, purgedAt: purged_at }));
  }

  async shownCounts(tenant: TenantId, refs: readonly Ref[], pace: ReadingPace): Promise<ReadonlyMap<Ref, number>> {
    const found = new Map<Ref, number>();
    for (const [index, ref] of refs.entries()) {
      if (index > 0 && index % rowsPerStep === 0) await pace.step();
      const count = this.#shown.get(tenant, ref)?.count;
      if (count !== undefined) found.set(ref, count);
    }
    return found;
  }

  setting(tenant: TenantId | undefined, name: string): string | undefined {
    return this.#setting.get(tenant ?? deployment, name)?.value;
  }

  tenantsWithSetting(name: string): readonly TenantId[] {
    return this.#tenantsWithSetting.all(name).map(({ tenant }) => tenant);
  }

  settings(tenant: TenantId | undefined, prefix: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const { name, value } of this.#settings.all(tenant ?? deployment, prefix)) {
      if (!name.startsWith(prefix)) break;
      found.set(name, value);
    }
    return found;
  }

  #scopeId(tenant: TenantId, scope: Scope): number | undefined {
    return this.#scope.get(tenant, scope.kind, scope.id ?? "")?.id;
  }
}

/** As JSON, each once and in the order of the answer. */
function wantedAfter(refs: readonly Ref[], after: Ref): string {
  return JSON.stringify([...new Set(refs)].filter((ref) => ref > after).toSorted());
}
