import type { DatabaseSync } from "node:sqlite";
import {
  CallSignal,
  type CallOptions,
  type EmbeddingSpace,
  formatScope,
  type LociError,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
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
import { NearestRows } from "./nearest-rows.ts";
import { transaction } from "./open-database.ts";
import { onFile } from "./storage-error.ts";
import { ChangeWriter } from "./write-changes.ts";

export interface SqliteVecCollectionOptions {
  readonly path: string;
  readonly database: DatabaseSync;
  /** Of the collection in the file. */
  readonly number: number;
  readonly space: EmbeddingSpace;
  readonly capabilities: VectorStoreCapabilities;
}

const pageSize = 1_000;

/** The rows of one collection, of all tenants. A call runs to its end without a pause: calls never see half of another. */
export class SqliteVecCollection implements OpenCollection {
  readonly space: EmbeddingSpace;
  readonly #options: SqliteVecCollectionOptions;
  readonly #writer: ChangeWriter;
  readonly #nearest: NearestRows;
  #end: LociError | undefined;

  constructor(options: SqliteVecCollectionOptions) {
    this.space = options.space;
    this.#options = options;
    this.#writer = new ChangeWriter(options.database, options.number);
    this.#nearest = new NearestRows(options.database, options.number, options.space.dimensions);
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: CallOptions,
  ): Promise<void> {
    this.#checkCall(options);
    checkTenant(tenant);
    checkThrough(through);
    checkChanges(changes, this.space.dimensions);
    this.#onFile((database) => transaction(database, () => this.#writer.apply(tenant, changes, through)));
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    return this.#onFile(() => this.#writer.checkpoint(tenant));
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    this.#checkCall(options);
    const scopes = checkVectorSearch(request, this.space.dimensions, this.#options.capabilities);
    return this.#onFile(() => this.#nearest.search(request, scopes.map(formatScope)));
  }

  /** In pages: what changes meanwhile may be listed or not. */
  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    let last = "";
    for (;;) {
      this.#check(tenant);
      const page = this.#onFile((database) =>
        database
          .prepare(
            `SELECT ref, version FROM rows
            WHERE collection = ? AND tenant = ? AND scope IS NOT NULL AND ref > ? ORDER BY ref LIMIT ${pageSize}`,
          )
          .all(this.#options.number, tenant, last),
      ) as { readonly ref: Ref; readonly version: Version }[];
      for (const { ref, version } of page) yield { ref, version };
      last = page.at(-1)?.ref ?? "";
      if (page.length < pageSize) return;
    }
  }

  async count(tenant: TenantId): Promise<number> {
    this.#check(tenant);
    const counted = this.#onFile((database) =>
      database
        .prepare("SELECT count(*) AS count FROM rows WHERE collection = ? AND tenant = ? AND scope IS NOT NULL")
        .get(this.#options.number, tenant),
    );
    return Number(counted?.["count"]);
  }

  async maintain(options?: IndexMaintenanceOptions): Promise<void> {
    this.#checkCall(options);
    this.#onFile((database) => {
      // Writes the file anew, without what free space in it still holds.
      if (options?.purge === true) database.exec("VACUUM");
      database.exec("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)");
    });
  }

  /** From then on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end = reason;
  }

  #checkCall(options: CallOptions | undefined): void {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
  }

  #check(tenant: TenantId): void {
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }

  #onFile<Result>(work: (database: DatabaseSync) => Result): Result {
    return onFile(this.#options.path, () => work(this.#options.database));
  }
}
