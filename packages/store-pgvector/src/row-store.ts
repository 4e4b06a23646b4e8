import { type CallOptions, LociError, type Ref, type Sequence, type TenantId, type Version } from "@loci/domain";
import type { ApplyOptions, IndexChange } from "@loci/store";
import type { Connections } from "./postgres/connections.ts";
import type { Transaction } from "./postgres/transaction.ts";
import { changedRefs, effectiveChanges, type KnownRow } from "./row-changes.ts";
import { moveCheckpoint, type Place } from "./kept/recent-changes.ts";
import { schemaVersion, tooNew } from "./schema/schema-form.ts";
import { identifier, type RowTables } from "./schema/tables.ts";

/** Changes that take effect, and those whose rows are to be replaced. */
export interface RowWriting {
  readonly transaction: Transaction;
  readonly tenant: TenantId;
  readonly changes: readonly IndexChange[];
  /** The refs of those of which the table has a row. */
  readonly replaced: readonly Ref[];
}

const pageSize = 2_000;

/** What both kinds of index do alike: keep to the log's order, and know their rows and their place in the log. */
export class RowStore {
  readonly #connections: Connections;
  readonly #tables: RowTables;
  /** Whether each batch notes what it has changed, for those who keep rows. */
  readonly notesChanges: boolean;

  constructor(connections: Connections, tables: RowTables, notesChanges: boolean) {
    this.#connections = connections;
    this.#tables = tables;
    this.notesChanges = notesChanges;
  }

  /**
   * Applies changes and moves the checkpoint in one transaction. The tenant's checkpoint row is locked from the start, so
   * that of several servers one applies at a time, and one that is behind is noticed and ignored. An index that stands before
   * the changes begin takes none: another server has had it begin again, or its database has lost what came last.
   *
   * @param write replaces the rows of the changes that take effect
   * @throws LociError `STORE_UNAVAILABLE` when it stands before `options.after`, `DATA_DIRECTORY_TOO_NEW` when a newer version
   *   has given the tables another form: nothing was applied then
   */
  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options: ApplyOptions | undefined,
    write: (writing: RowWriting) => Promise<void>,
  ): Promise<void> {
    const refs = changedRefs(changes);
    const { schema, checkpoints } = this.#tables;
    const form = identifier(schema, "schema_version");
    const after = options?.after ?? 0;
    await this.#connections.transaction(tenant, options, async (transaction) => {
      const before = await this.#lockCheckpoint(transaction, tenant);
      const checkpoint = before.sequence;
      if (through < checkpoint) return;
      if (after > checkpoint) throw standsBefore(checkpoints, checkpoint, after);
      const known = await this.#knownRows(transaction, tenant, refs);
      const effective = effectiveChanges(changes, known);
      const replaced = effective.map(({ ref }) => ref).filter((ref) => known.has(ref));
      if (effective.length > 0) await write({ transaction, tenant, changes: effective, replaced });
      // Last: nobody gives tables another form that a transaction has written into, until it ends.
      const changed = this.notesChanges ? effective.map(({ ref }) => ref) : undefined;
      const found = await moveCheckpoint(transaction, this.#tables, form, { tenant, before, through, refs: changed });
      if (found > schemaVersion) throw tooNew(schema, found);
    });
  }

  /**
   * Removes everything of a tenant in one transaction.
   *
   * @param others tables that hold more of its rows
   */
  async reset(tenant: TenantId, options: CallOptions | undefined, others: readonly string[] = []): Promise<void> {
    const { rows, checkpoints, recent } = this.#tables;
    const notes = this.notesChanges ? [recent] : [];
    await this.#connections.transaction(tenant, options, async (transaction) => {
      await this.#lockCheckpoint(transaction, tenant);
      for (const table of [rows, ...others, ...notes, checkpoints])
        await transaction.query(`DELETE FROM ${table} WHERE tenant = $1`, [tenant]);
    });
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    const [row] = await this.read<{ sequence: string }>(
      tenant,
      undefined,
      `SELECT sequence FROM ${this.#tables.checkpoints} WHERE tenant = $1`,
      [tenant],
    );
    return Number(row?.sequence ?? 0);
  }

  async count(tenant: TenantId): Promise<number> {
    const { rows, isLive } = this.#tables;
    const [row] = await this.read<{ count: string }>(
      tenant,
      undefined,
      `SELECT count(*) AS count FROM ${rows} WHERE tenant = $1 AND ${isLive}`,
      [tenant],
    );
    return Number(row?.count ?? 0);
  }

  /** In pages, each of one state: what changes meanwhile may be listed or not. */
  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    const { rows, isLive } = this.#tables;
    for (let last: Ref | undefined; ;) {
      const page = await this.read<{ ref: Ref; version: string }>(
        tenant,
        undefined,
        `SELECT ref, version FROM ${rows} WHERE tenant = $1 AND ${isLive} AND ($2::uuid IS NULL OR ref > $2::uuid)
        ORDER BY ref LIMIT ${pageSize}`,
        [tenant, last],
      );
      for (const { ref, version } of page) yield { ref, version: Number(version) };
      last = page.at(-1)?.ref;
      if (page.length < pageSize) return;
    }
  }

  /** Where the tenant stands, which nobody else moves until the transaction ends. */
  async #lockCheckpoint(transaction: Transaction, tenant: TenantId): Promise<Place> {
    const { checkpoints } = this.#tables;
    for (;;) {
      const [row] = await transaction.query<{ sequence: string; writer: string }>(
        `SELECT sequence, xmin::text AS writer FROM ${checkpoints} WHERE tenant = $1 FOR UPDATE`,
        [tenant],
      );
      if (row !== undefined) return { sequence: Number(row.sequence), writer: row.writer };
      await transaction.query(`INSERT INTO ${checkpoints} (tenant, sequence) VALUES ($1, 0) ON CONFLICT DO NOTHING`, [
        tenant,
      ]);
    }
  }

  async #knownRows(
    transaction: Transaction,
    tenant: TenantId,
    refs: readonly Ref[],
  ): Promise<ReadonlyMap<Ref, KnownRow>> {
    const known = await transaction.query<{ ref: Ref; version: string; isLive: boolean }>(
      // One look at the primary key for each. Of a table that grows quickly PostgreSQL knows too little to plan so by itself,
      // and would read all rows of the tenant for every batch.
      `SELECT asked.ref, version, scope IS NOT NULL AS "isLive" FROM unnest($2::uuid[]) AS asked (ref) CROSS JOIN LATERAL
        (SELECT version, scope FROM ${this.#tables.rows} AS row WHERE row.tenant = $1 AND row.ref = asked.ref LIMIT 1) AS own`,
      [tenant, refs],
    );
    return new Map(known.map(({ ref, version, isLive }) => [ref, { version: Number(version), isLive }]));
  }

  /** Reads a tenant's rows. */
  async read<Row extends object>(
    tenant: TenantId,
    options: CallOptions | undefined,
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return this.#connections.reader(tenant, options).query<Row>(text, values);
  }
}

function standsBefore(table: string, checkpoint: Sequence, after: Sequence): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: `The index stands at ${checkpoint}, and the changes begin after ${after}. Nothing of the call was applied.`,
    resource: table,
    advice: "Ask where it stands, and bring what is missing.",
  });
}
