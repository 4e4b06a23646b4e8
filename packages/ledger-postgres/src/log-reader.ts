import { setImmediate } from "node:timers/promises";
import type { CallOptions, Sequence, TenantId } from "@loci/domain";
import type {
  CheckedEntries,
  DamagedEntry,
  Family,
  FamilyChoice,
  LogEntry,
  LogReadOptions,
  PendingProjection,
} from "@loci/ledger";
import { damageOfEntry, type EntryRow, logEntryOf } from "@loci/ledger/sql";
import type { Connections } from "./connections.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { type Statement, statement } from "./statement.ts";

const columns =
  "sequence, recorded_at, family, type, ref, version, subject, activity, reason, content_hash, record, space";

const changes: Statement<EntryRow> = statement(
  `SELECT ${columns} FROM changes WHERE tenant = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
);

/** Of each family as many as are wanted at all: so that each is read along its part of the index. */
const changesOfFamilies: Statement<EntryRow> = statement(
  `SELECT c.* FROM unnest($4::text[]) AS wanted (family) CROSS JOIN LATERAL (
       SELECT ${columns} FROM changes WHERE tenant = $1 AND family = wanted.family AND sequence > $2
         ORDER BY sequence LIMIT $3
     ) AS c ORDER BY c.sequence LIMIT $3`,
);

const headOfFamilies: Statement<{ readonly head: Sequence | null }> = statement(
  `SELECT max(last.head) AS head FROM unnest($2::text[]) AS wanted (family) CROSS JOIN LATERAL (
     SELECT max(sequence) AS head FROM changes WHERE tenant = $1 AND family = wanted.family) AS last`,
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

/** Entries that are checked before others have the thread: of the longest texts there are they take some milliseconds. */
const checkedInOneTurn = 32;

/** Tenants whose heads are asked for together. */
const tenantsAtOnce = 8;

/** Reads the log, and how far projections have followed it. */
export class LogReader {
  readonly #connections: Connections;
  readonly #keys: LedgerKeys;

  constructor(connections: Connections, keys: LedgerKeys) {
    this.#connections = connections;
    this.#keys = keys;
  }

  async changes(
    tenant: TenantId,
    after: Sequence,
    limit: number,
    options?: LogReadOptions,
  ): Promise<readonly LogEntry[]> {
    const values = [tenant, after, limit];
    const families = options?.families;
    const rows = await (families === undefined
      ? this.#connections.read({ tenant }, changes, values, options)
      : this.#connections.read({ tenant }, changesOfFamilies, [...values, families], options));
    return rows.map((row) => logEntryOf(this.#keys.entry(tenant, row)));
  }

  async check(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<CheckedEntries> {
    const rows = await this.#connections.read({ tenant }, changes, [tenant, after, limit], call);
    const damaged: DamagedEntry[] = [];
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % checkedInOneTurn === 0) await setImmediate();
      const damage = damageOfEntry(row, (sealed) => this.#keys.entry(tenant, sealed));
      if (damage !== undefined) damaged.push(damage);
    }
    const through = rows.length < limit ? undefined : rows.at(-1)?.sequence;
    return { through, checked: rows.length, damaged };
  }

  async head(tenant: TenantId, families?: readonly Family[]): Promise<Sequence> {
    const [row] = await (families === undefined
      ? this.#connections.read({ tenant }, head, [tenant])
      : this.#connections.read({ tenant }, headOfFamilies, [tenant, families]));
    return row?.head ?? 0;
  }

  async pending(projection: string, choice?: FamilyChoice): Promise<readonly PendingProjection[]> {
    const rows = await this.#connections.read({ everyTenant: true }, pending, [projection]);
    const families = choice?.families;
    if (families === undefined) return rows.map((row) => ({ ...row }));
    // Nobody sees the log of every tenant at once.
    const found: PendingProjection[] = [];
    for (let start = 0; start < rows.length; start += tenantsAtOnce)
      found.push(
        ...(await Promise.all(
          rows
            .slice(start, start + tenantsAtOnce)
            .map(async (row) => ({ ...row, head: await this.head(row.tenant, families) })),
        )),
      );
    return found.filter(({ head: end, acknowledged }) => end > acknowledged);
  }

  /** Every tenant that has a change, and where its log ends. */
  async heads(call?: CallOptions): Promise<ReadonlyMap<TenantId, Sequence>> {
    const rows = await this.#connections.read({ everyTenant: true }, tenants, [], call);
    return new Map(rows.map((row) => [row.tenant, row.head]));
  }
}
