import {
  CallSignal,
  type CallOptions,
  type EmbeddingSpace,
  formatScope,
  type LociError,
  memoryId,
  type Ref,
  type Sequence,
  type TenantId,
  type Version,
} from "@loci/domain";
import {
  type ApplyOptions,
  type ExactVectors,
  type RowVersion,
  checkChanges,
  checkTenant,
  checkThrough,
  checkVectorSearch,
  type IndexChange,
  type IndexMaintenanceOptions,
  type VectorCollection,
  type VectorHit,
  type VectorSearch,
  type VectorStoreCapabilities,
} from "@loci/store";
import { tenantsWithDirectory } from "./storage/tenant-directories.ts";
import { rankExactly } from "./exact-ranking.ts";
import type { IndexThread } from "./index-thread.ts";
import { numbersOfRow, rowVersions } from "./sent-rows.ts";
import { ExactCosines } from "./vectors/exact-cosines.ts";
import { type QuantisedQuery, quantiseQuery } from "./vectors/quantise.ts";
import type { IndexAddress, SentChange, SentNearRows } from "./worker/protocol.ts";

/** Rows whose float32 vectors are asked for at once: between two pieces the event loop runs. */
const rowsPerRequest = 512;

export interface EmbeddedVectorCollectionOptions {
  /** Of the store. */
  readonly directory: string;
  readonly thread: IndexThread;
  readonly space: EmbeddingSpace;
  readonly capabilities: VectorStoreCapabilities;
  readonly exactVectors: ExactVectors;
  readonly exactRows: number;
  /** The directory of its index inside each tenant's. */
  readonly directoryName: string;
}

/** One collection's vectors of every tenant, in the index thread as int8; ranked by the float32 ones. */
export class EmbeddedVectorCollection implements VectorCollection {
  readonly space: EmbeddingSpace;
  readonly #options: EmbeddedVectorCollectionOptions;
  readonly #cosines: ExactCosines;
  readonly #quantisedNow = new Map<readonly Float32Array[], readonly QuantisedQuery[]>();
  #end: LociError | undefined;

  constructor(options: EmbeddedVectorCollectionOptions) {
    this.space = options.space;
    this.#options = options;
    this.#cosines = new ExactCosines(options.space.dimensions);
  }

  async apply(
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    options?: ApplyOptions,
  ): Promise<void> {
    const address = this.#address(tenant);
    checkThrough(through);
    checkChanges(changes, this.space.dimensions);
    const values = packVectors(changes, this.space.dimensions);
    const sent = changes.map(sentVectors);
    const operation = { type: "apply", address, changes: sent, values, through, after: options?.after } as const;
    await this.#options.thread.perform(operation, options, [values.buffer]);
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    return this.#options.thread.perform({ type: "checkpoint", address: this.#address(tenant) });
  }

  async heldAmong(tenants: readonly TenantId[]): Promise<readonly TenantId[]> {
    this.#checkOpen();
    return tenantsWithDirectory(this.#options.directory, tenants);
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    this.#checkOpen();
    const { capabilities, thread, exactRows } = this.#options;
    const scopes = checkVectorSearch(request, this.space.dimensions, capabilities).map(formatScope);
    const { tenant, vectors, where, limit, bounds = false } = request;
    const queries = this.#quantised(vectors);
    const address = this.#address(tenant);
    const operation = { type: "searchVectors", address, scopes, where, queries, exactRows, bounds } as const;
    if (bounds) {
      const found = await thread.perform({ ...operation, limit }, options);
      return boundHits(thread.receivedRefs.all(found.refs), found, queries.length);
    }
    using call = new CallSignal(options);
    for (let asked = limit; ;) {
      const candidates = rowVersions(await thread.perform({ ...operation, limit: asked }, call));
      const exact = await this.#exactVectors(tenant, candidates, call);
      const missing = candidates.length - exact.size;
      // Rows that are missing may have kept as many others from being candidates.
      if (asked - missing >= limit || candidates.length < asked)
        return rankExactly(candidates, exact, vectors, limit, this.#cosines);
      asked = Math.max(limit + missing, asked + 1);
    }
  }

  async reset(tenant: TenantId, options?: CallOptions): Promise<void> {
    await this.#options.thread.perform({ type: "reset", address: this.#address(tenant) }, options);
  }

  async *refs(tenant: TenantId): AsyncGenerator<RowVersion> {
    yield* rowVersions(await this.#options.thread.perform({ type: "refs", address: this.#address(tenant) }));
  }

  async count(tenant: TenantId): Promise<number> {
    return this.#options.thread.perform({ type: "count", address: this.#address(tenant) });
  }

  async maintain({ purge = false, ...call }: IndexMaintenanceOptions = {}): Promise<void> {
    this.#checkOpen();
    const { thread, directoryName: name, space } = this.#options;
    await thread.perform({ type: "compact", name, dimensions: space.dimensions, everyTenant: purge }, call);
  }

  /** From then on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end = reason;
  }

  /**
   * Searches of one turn of the event loop for the very same vectors share the list, so that the thread can tell, and
   * compare the rows once for all of them.
   */
  #quantised(queries: readonly Float32Array[]): readonly QuantisedQuery[] {
    let quantised = this.#quantisedNow.get(queries);
    if (quantised !== undefined) return quantised;
    if (this.#quantisedNow.size === 0) queueMicrotask(() => this.#quantisedNow.clear());
    this.#quantisedNow.set(queries, (quantised = queries.map(quantiseQuery)));
    return quantised;
  }

  async #exactVectors(
    tenant: TenantId,
    rows: readonly RowVersion[],
    call: CallSignal,
  ): Promise<ReadonlyMap<Ref, readonly Float32Array[]>> {
    const found = new Map<Ref, readonly Float32Array[]>();
    for (let start = 0; start < rows.length; start += rowsPerRequest) {
      const some = rows.slice(start, start + rowsPerRequest);
      const vectors = await this.#options.exactVectors({ tenant, space: this.space, rows: some }, call);
      call.throwIfAborted();
      for (const [ref, own] of vectors) found.set(ref, own);
    }
    return found;
  }

  #address(tenant: TenantId): IndexAddress {
    this.#checkOpen();
    checkTenant(tenant);
    return { tenant, name: this.#options.directoryName, dimensions: this.space.dimensions };
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

/** All that may be among the best, by what their cosines are at most. */
function boundHits(refs: readonly Ref[], found: SentNearRows, queries: number): readonly VectorHit[] {
  const hits: VectorHit[] = [];
  for (let row = 0; row < refs.length; row++) hits.push(new ReceivedBound(refs[row] as Ref, found, row, queries));
  return hits;
}

/** One of hundreds at once, and so of a class: see decision 85. */
class ReceivedBound implements VectorHit {
  readonly ref: Ref;
  readonly version: Version;
  readonly cosines: readonly number[];
  readonly isBound = true;

  constructor(ref: Ref, { versions, uppers }: SentNearRows, row: number, queries: number) {
    this.ref = ref;
    this.version = versions[row] as Version;
    this.cosines = numbersOfRow(uppers, row, queries);
  }
}

function sentVectors(change: IndexChange): SentChange {
  const ref = memoryId(change.ref);
  const { version } = change;
  if (change.type === "delete") return { ref, version };
  const { scope, fields, vectors } = change;
  return { ref, version, scope: formatScope(scope), fields, vectors: vectors.length };
}

/** One buffer, which is given away: the only copy on the way to the thread. */
function packVectors(changes: readonly IndexChange[], dimensions: number): Float32Array<ArrayBuffer> {
  let count = 0;
  for (const change of changes) if (change.type === "upsert") count += change.vectors.length;
  const values = new Float32Array(count * dimensions);
  let used = 0;
  for (const change of changes) {
    if (change.type === "delete") continue;
    for (const vector of change.vectors) {
      values.set(vector, used);
      used += dimensions;
    }
  }
  return values;
}
