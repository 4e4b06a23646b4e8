import {
  type CallOptions,
  type EmbeddingSpace,
  formatScope,
  LociError,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  type ApplyOptions,
  checkChanges,
  checkTenant,
  checkThrough,
  checkVectorSearch,
  type CollectionId,
  droppedCollection,
  type IndexChange,
  type IndexMaintenanceOptions,
  type OpenCollection,
  type VectorHit,
  type VectorSearch,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { KeptRoom } from "./kept/kept-room.ts";
import { keptVectors, searchKeptVectors } from "./kept/kept-vector-search.ts";
import type { Connections } from "./postgres/connections.ts";
import { isUndefinedTable } from "./postgres/postgres-error.ts";
import type { Settings, Statements } from "./postgres/transaction.ts";
import { RowStore } from "./row-store.ts";
import { selectedRows } from "./set-apart.ts";
import type { OpenTables } from "./schema/tables.ts";
import { estimatedRows, vacuum } from "./schema/vacuum.ts";
import { buildNearestIndex, graphBuildSettings, indexedNearness } from "./vectors/nearest-index.ts";
import { searchVectors } from "./vectors/search-vectors.ts";
import { writeVectors } from "./vectors/write-vectors.ts";

export interface PgvectorVectorCollectionOptions {
  readonly id: CollectionId;
  readonly connections: Connections;
  readonly tables: OpenTables;
  readonly space: EmbeddingSpace;
  readonly capabilities: VectorStoreCapabilities;
  /** Above so many selected rows the graph is used. `undefined`: never. */
  readonly exactRows: number | undefined;
  /** Where vectors are kept that are searched again and again. `undefined`: nowhere. */
  readonly room: KeptRoom | undefined;
  /** As `KeepingAccount` has it. */
  readonly keepingPatience: number;
}

/** One collection: a table with the rows of every tenant. */
export class PgvectorVectorCollection implements OpenCollection {
  readonly space: EmbeddingSpace;
  readonly tables: OpenTables;
  readonly #options: PgvectorVectorCollectionOptions;
  readonly #rows: RowStore;
  readonly #kept: ReturnType<typeof keptVectors> | undefined;
  #end: LociError | undefined;

  constructor(options: PgvectorVectorCollectionOptions) {
    this.space = options.space;
    this.tables = options.tables;
    this.#options = options;
    this.#rows = new RowStore(options.connections, options.tables, options.tables.notesChanges);
    const { connections, tables, space, exactRows, room, keepingPatience: patience } = options;
    if (room !== undefined && tables.notesChanges && exactRows === undefined)
      this.#kept = keptVectors({ connections, tables, dimensions: space.dimensions, room, patience });
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: ApplyOptions,
  ): Promise<void> {
    this.#check(tenant);
    checkThrough(through);
    checkChanges(changes, this.space.dimensions);
    await this.#whileItExists(
      this.#rows.apply(tenant, changes, through, options, (writing) => writeVectors(this.#options.tables, writing)),
    );
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    this.#check(tenant);
    this.#kept?.forget(tenant);
    await this.#whileItExists(this.#rows.reset(tenant, options));
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    return this.#whileItExists(this.#rows.checkpoint(tenant));
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    this.#checkOpen();
    const { capabilities, connections, tables, exactRows } = this.#options;
    const { dimensions } = this.space;
    const scopes = checkVectorSearch(request, dimensions, capabilities).map(formatScope);
    const { tenant, vectors: queries, where, limit, bounds = false } = request;
    const graph = exactRows === undefined ? undefined : { nearness: indexedNearness(dimensions), exactRows };
    const selected = selectedRows(where);
    if (selected === undefined) return [];
    const selection = { rows: tables.rows, tenant, scopes, ...selected };
    const plan = { selection, queries, limit, dimensions, graph, bounds };
    const settings = exactRows === undefined ? {} : graphSettings(limit);
    if (bounds) {
      const kept = this.#kept && (await searchKeptVectors(this.#kept, connections, plan, options));
      return kept ?? this.#whileItExists(searchVectors(connections.reader(tenant, options, settings), plan));
    }
    // What is compared again is of the state it was found in.
    const search = (transaction: Statements): Promise<readonly VectorHit[]> => searchVectors(transaction, plan);
    return this.#whileItExists(connections.transaction(tenant, options, search, { isReadOnly: true, settings }));
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    this.#check(tenant);
    yield* this.#rows.refs(tenant);
  }

  async count(tenant: TenantId): Promise<number> {
    this.#check(tenant);
    return this.#whileItExists(this.#rows.count(tenant));
  }

  async maintain(options: IndexMaintenanceOptions = {}): Promise<void> {
    this.#checkOpen();
    if (options.purge === true) this.#kept?.forget();
    const { connections, tables, exactRows } = this.#options;
    await this.#whileItExists(
      connections.alone(tables.rows, options, async (statements) => {
        const all = [tables.rows, tables.checkpoints, ...(tables.notesChanges ? [tables.recent] : [])];
        await vacuum(statements, all, options, graphBuildSettings);
        // Of fewer rows no search would ask it, and writing into it takes many times longer.
        if (exactRows !== undefined && (await estimatedRows(statements, tables.rows)) > exactRows)
          await buildNearestIndex(statements, tables, this.space.dimensions);
      }),
    );
  }

  /** From then on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end = reason;
    void this.#kept?.close();
  }

  /** Another server may have dropped the collection. */
  async #whileItExists<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      throw LociError.is(error) && isUndefinedTable(error.cause) ? droppedCollection(this.#options.id) : error;
    }
  }

  #check(tenant: TenantId): void {
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

/** How many vectors of the graph a search keeps at least, whatever is asked for. More found no more of the best. */
const leastGraphBreadth = 100;

/** Without strict order, and going on until enough rows have passed the filter, a filtered search finds too few. */
function graphSettings(limit: number): Settings {
  return {
    "hnsw.iterative_scan": "strict_order",
    "hnsw.ef_search": String(Math.min(Math.max(2 * limit, leastGraphBreadth), 1_000)),
  };
}
