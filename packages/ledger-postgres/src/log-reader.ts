import type { CallOptions, Sequence, TenantId } from "@loci/domain";
import type { PendingProjection, RecordedChange } from "@loci/ledger";
import { changeOf, type ChangeRow } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";

const changes: Statement<ChangeRow> = statement(
  `SELECT sequence, recorded_at, type, ref, version, content_hash, record, space FROM changes
     WHERE tenant = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
);

const head: Statement<{ readonly head: Sequence }> = statement("SELECT head FROM tenants WHERE tenant = $1");

const pending: Statement<PendingProjection> = statement(
  `SELECT t.tenant, t.head, coalesce(p.acknowledged, 0) AS acknowledged
     FROM tenants AS t LEFT JOIN projections AS p ON p.tenant = t.tenant AND p.projection = $1
     WHERE t.head > coalesce(p.acknowledged, 0) ORDER BY t.tenant`,
);

const tenants: Statement<{ readonly tenant: TenantId; readonly head: Sequence }> = statement(
  "SELECT tenant, head FROM tenants WHERE head > 0",
);

/** Reads the log, and how far projections have followed it. */
export class LogReader {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async changes(
    tenant: TenantId,
    after: Sequence,
    limit: number,
    call?: CallOptions,
  ): Promise<readonly RecordedChange[]> {
    const rows = await this.#connections.read({ tenant }, changes, [tenant, after, limit], call);
    return rows.map((row) => ({ sequence: row.sequence, recordedAt: row.recorded_at, change: changeOf(row) }));
  }

  async head(tenant: TenantId): Promise<Sequence> {
    const [row] = await this.#connections.read({ tenant }, head, [tenant]);
    return row?.head ?? 0;
  }

  async pending(projection: string): Promise<readonly PendingProjection[]> {
    const rows = await this.#connections.read({ everyTenant: true }, pending, [projection]);
    return rows.map((row) => ({ ...row }));
  }

  /** Every tenant that has a change, and where its log ends. */
  async heads(call?: CallOptions): Promise<ReadonlyMap<TenantId, Sequence>> {
    const rows = await this.#connections.read({ everyTenant: true }, tenants, [], call);
    return new Map(rows.map((row) => [row.tenant, row.head]));
  }
}
