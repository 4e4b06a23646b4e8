import {
  type CallOptions,
  CallSignal,
  type EmbeddingSpace,
  type LociError,
  type Ref,
  type Sequence,
  type TenantId,
} from "@loci/domain";
import {
  checkChanges,
  checkTenant,
  checkThrough,
  checkVectorSearch,
  type IndexChange,
  type IndexMaintenanceOptions,
  type OpenCollection,
  type VectorHit,
  type VectorSearch,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { Table } from "@lancedb/lancedb";
import { ArrowColumns } from "./arrow-columns.ts";
import { selectionSql } from "./filter-sql.ts";
import { hasKey, rowKey } from "./index-rows.ts";
import type { LanceTable } from "./lance-table.ts";
import { effectiveChanges } from "./latest-states.ts";
import { nearestRows, otherVectors } from "./nearest-rows.ts";
import { rankRows } from "./rank-rows.ts";
import { column, literal } from "./sql.ts";
import { TenantPlaces } from "./tenant-places.ts";
import { type VectorState, vectorTable } from "./vector-rows.ts";

export interface LanceVectorCollectionOptions {
  readonly table: LanceTable;
  readonly space: EmbeddingSpace;
  readonly capabilities: VectorStoreCapabilities;
  /** As in the options of the store. */
  readonly exactRows: number;
}

/** The vectors of every tenant in one embedding space: one LanceDB table. */
export class LanceVectorCollection implements OpenCollection {
  readonly space: EmbeddingSpace;
  readonly table: LanceTable;
  readonly #capabilities: VectorStoreCapabilities;
  readonly #exactRows: number;
  readonly #checkpoints = new TenantPlaces<Sequence>();

  constructor({ table, space, capabilities, exactRows }: LanceVectorCollectionOptions) {
    this.space = space;
    this.table = table;
    this.#capabilities = capabilities;
    this.#exactRows = exactRows;
  }

  async apply(tenant: TenantId, changes: readonly IndexChange[], through: Sequence, call?: CallOptions): Promise<void> {
    this.table.checkOpen();
    checkTenant(tenant);
    checkThrough(through);
    const { dimensions } = this.space;
    checkChanges(changes, dimensions);
    // The write may begin after the caller has used its vectors for something else.
    const own = changes.map((change) =>
      change.type === "delete" ? change : { ...change, vectors: change.vectors.map((vector) => vector.slice()) },
    );
    await this.table.write(async ({ table, merge }) => {
      if (through < (await this.#checkpoint(table, tenant))) return;
      await this.#checkpoints.change(tenant, async () => {
        const held = await heldStates(table, tenant, own);
        await merge(vectorTable(tenant, effectiveChanges(own, held).values(), held, through, dimensions));
        return through;
      });
    }, call);
  }

  async reset(tenant: TenantId, call?: CallOptions): Promise<void> {
    this.table.checkOpen();
    checkTenant(tenant);
    await this.table.write(async ({ remove }) => {
      this.#checkpoints.forget(tenant);
      await remove(`${column("tenant")} = ${literal(tenant)}`);
    }, call);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.table.checkOpen();
    checkTenant(tenant);
    // Behind the writes: what a table shows may not be durable yet.
    return this.#checkpoints.get(tenant) ?? this.table.write(({ table }) => this.#checkpoint(table, tenant));
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.table.checkOpen();
    const scopes = checkVectorSearch(request, this.space.dimensions, this.#capabilities);
    const { vectors, limit, tenant, where } = request;
    const selection = selectionSql(tenant, scopes, where);
    const rows = await this.table.read(async (table) => {
      const isApproximate = this.table.hasVectorIndex && (await table.countRows(selection)) > this.#exactRows;
      const nearest = await Promise.all(
        vectors.map((vector) => nearestRows({ table, selection, vector, limit, isApproximate, call })),
      );
      const found = nearest.flat();
      return [...found, ...(await otherVectors(table, tenant, found))];
    }, call);
    return rankRows(rows, vectors, limit);
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: number }> {
    using call = new CallSignal(undefined);
    this.table.checkOpen();
    checkTenant(tenant);
    const rows = await this.table.read(
      async (table) =>
        new ArrowColumns(await table.query().where(liveRows(tenant)).select(["ref", "version"]).toArrow()),
      call,
    );
    const versions = rows.numbers("version");
    for (const [index, ref] of rows.refs().entries()) yield { ref, version: versions[index] as number };
  }

  async count(tenant: TenantId): Promise<number> {
    using call = new CallSignal(undefined);
    this.table.checkOpen();
    checkTenant(tenant);
    return await this.table.read((table) => table.countRows(liveRows(tenant)), call);
  }

  async maintain(options?: IndexMaintenanceOptions): Promise<void> {
    await this.table.maintain(options);
  }

  end(reason: LociError): void {
    this.table.end(reason);
  }

  async #checkpoint(table: Table, tenant: TenantId): Promise<Sequence> {
    const known = this.#checkpoints.get(tenant);
    if (known !== undefined) return known;
    const rows = await table
      .query()
      .where(hasKey([rowKey(tenant)]))
      .select(["version"])
      .toArrow();
    const through = new ArrowColumns(rows).numbers("version")[0] ?? 0;
    this.#checkpoints.set(tenant, through);
    return through;
  }
}

/** One row of each memory of a tenant. */
function liveRows(tenant: TenantId): string {
  return `${column("tenant")} = ${literal(tenant)} AND ${column("scope")} IS NOT NULL AND ${column("place")} = 0`;
}

async function heldStates(
  table: Table,
  tenant: TenantId,
  changes: readonly IndexChange[],
): Promise<ReadonlyMap<Ref, VectorState>> {
  const keys = [...new Set(changes.map(({ ref }) => rowKey(tenant, ref)))];
  const states = new Map<Ref, VectorState>();
  if (keys.length === 0) return states;
  const found = await table.query().where(hasKey(keys)).select(["ref", "version", "scope", "places"]).toArrow();
  const rows = new ArrowColumns(found);
  const [versions, places, scopes] = [rows.numbers("version"), rows.numbers("places"), rows.texts("scope")];
  for (const [index, ref] of rows.refs().entries())
    states.set(ref, {
      version: versions[index] as number,
      isLive: scopes[index] !== null,
      places: places[index] as number,
    });
  return states;
}
