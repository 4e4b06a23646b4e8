import {
  CallSignal,
  type CallOptions,
  cosineOfUnitVectors,
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
  type IndexUpsert,
  matchesFilter,
  type OpenCollection,
  type VectorHit,
  type VectorSearch,
  type VectorStoreCapabilities,
} from "@loci/store";
import { BestRows } from "./best-rows.ts";
import { ScanPace } from "./scan-pace.ts";
import { type IndexedRow, TenantRows } from "./tenant-rows.ts";

interface VectorRow extends IndexedRow {
  readonly vectors: readonly Float32Array[];
}

/** Compares the query with every row of the asked-for scopes. */
export class MemoryVectorCollection implements OpenCollection {
  readonly space: EmbeddingSpace;
  readonly #capabilities: VectorStoreCapabilities;
  readonly #tenants = new Map<TenantId, TenantRows<VectorRow>>();
  #end: LociError | undefined;

  constructor(space: EmbeddingSpace, capabilities: VectorStoreCapabilities) {
    this.space = space;
    this.#capabilities = capabilities;
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: CallOptions,
  ): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#check(tenant);
    checkThrough(through);
    checkChanges(changes, this.space.dimensions);
    let rows = this.#tenants.get(tenant);
    if (rows === undefined) this.#tenants.set(tenant, (rows = new TenantRows({ make: vectorRow })));
    rows.apply(changes, through);
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#check(tenant);
    this.#tenants.delete(tenant);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    return this.#tenants.get(tenant)?.checkpoint ?? 0;
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    using call = new CallSignal(options);
    const pace = new ScanPace(call);
    this.#checkOpen();
    const scopes = checkVectorSearch(request, this.space.dimensions, this.#capabilities).map(formatScope);
    const { vectors, where } = request;

    const best = vectors.map(() => new BestRows<VectorRow>(request.limit));
    for (const row of this.#tenants.get(request.tenant)?.rowsIn(scopes) ?? []) {
      if (pace.isPauseDue()) await pace.pause();
      if (row.vectors.length === 0 || (where !== undefined && !matchesFilter(where, row.fields))) continue;
      for (let index = 0; index < vectors.length; index++)
        best[index]?.offer(row, bestCosine(row, vectors[index] as Float32Array));
    }

    const found = new Map<VectorRow, readonly number[]>();
    const ranked = new BestRows<VectorRow>(request.limit * vectors.length);
    for (const row of best.flatMap((rows) => rows.sorted())) {
      if (found.has(row)) continue;
      const cosines = vectors.map((vector) => bestCosine(row, vector));
      found.set(row, cosines);
      ranked.offer(row, Math.max(...cosines));
    }
    return ranked.sorted().map((row) => ({ ref: row.ref, version: row.version, cosines: found.get(row) ?? [] }));
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    this.#check(tenant);
    for (const { ref, version } of this.#tenants.get(tenant)?.allRows() ?? []) yield { ref, version };
  }

  async count(tenant: TenantId): Promise<number> {
    this.#check(tenant);
    return this.#tenants.get(tenant)?.size ?? 0;
  }

  async maintain(options?: CallOptions): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
  }

  /** Lets go of all rows. From then on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end = reason;
    this.#tenants.clear();
  }

  #check(tenant: TenantId): void {
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

/** Copies the vectors: callers may use theirs again. */
function vectorRow({ ref, version, scope, fields, vectors }: IndexUpsert): VectorRow {
  return { ref, version, scope: formatScope(scope), fields, vectors: vectors.map((vector) => vector.slice()) };
}

function bestCosine({ vectors }: VectorRow, query: Float32Array): number {
  let best = -Infinity;
  for (const vector of vectors) best = Math.max(best, cosineOfUnitVectors(vector, query));
  return best;
}
