import { createHash } from "node:crypto";
import {
  CallSignal,
  type CallOptions,
  type EmbeddingSpace,
  type Filter,
  formatScope,
  LociError,
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
  matchesFilter,
  type OpenCollection,
  type VectorHit,
  type VectorSearch,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { Index } from "@pinecone-database/pinecone";
import { filterExpression } from "./filter-expression.ts";
import { HitList } from "./hit-list.ts";
import type { PineconeConnection } from "./pinecone-connection.ts";
import { planWrites } from "./planned-writes.ts";
import {
  checkpointId,
  checkpointRecord,
  type FoundRecord,
  headId,
  isHeadId,
  placeholder,
  readCheckpoint,
  readRecord,
  recordId,
  type RowHead,
  selection,
} from "./records.ts";
import { TenantLog } from "./tenant-log.ts";
import { partsOf, upsertBatches } from "./upsert-batches.ts";

const maxTopK = 10_000;
/** Ids stand in the address of a fetch, which proxies keep to 8 KiB. */
const fetchedIds = 100;
const deletedIds = 1_000;

/** Rows of one embedding space in one Pinecone index; each tenant has a namespace of its own. */
export class PineconeCollection implements OpenCollection {
  readonly space: EmbeddingSpace;
  readonly #connection: PineconeConnection;
  readonly #index: Index;
  readonly #capabilities: VectorStoreCapabilities;
  readonly #logs = new Map<TenantId, TenantLog>();
  #end: LociError | undefined;

  constructor(
    connection: PineconeConnection,
    index: Index,
    space: EmbeddingSpace,
    capabilities: VectorStoreCapabilities,
  ) {
    this.#connection = connection;
    this.#index = index;
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
    const log = this.#logOf(tenant);
    await log.inTurn(() => this.#apply(log, tenant, changes, through, call.signal));
  }

  async checkpoint(tenant: TenantId): Promise<Sequence> {
    this.#check(tenant);
    const log = this.#logOf(tenant);
    if (log.isStale(performance.now())) await this.#readCheckpoint(log, tenant, new AbortController().signal);
    return log.visible;
  }

  async search(request: VectorSearch, options?: CallOptions): Promise<readonly VectorHit[]> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
    const { dimensions } = this.space;
    const scopes = checkVectorSearch(request, dimensions, this.#capabilities).map(formatScope);
    const { tenant, vectors, where, limit } = request;
    const hits = new HitList(vectors.length);
    await Promise.all(
      vectors.map(async (vector, place) => {
        const isZero = vector.every((value) => value === 0);
        const values = isZero ? placeholder(dimensions) : [...vector];
        const found = await this.#nearest(tenant, values, selection("vector", scopes), where, limit, call.signal);
        for (const { record, score } of found.values()) hits.add(record, place, isZero ? 0 : score);
        if (found.size >= limit) return;
        // Rows of zeros come with whatever score their placeholder has; their cosine is 0.
        const zeros = await this.#nearest(tenant, values, selection("zero", scopes), where, limit, call.signal);
        for (const { record } of zeros.values()) hits.add(record, place, 0);
      }),
    );
    return hits.sorted();
  }

  async *refs(tenant: TenantId): AsyncGenerator<{ readonly ref: Ref; readonly version: Version }> {
    this.#check(tenant);
    const { signal } = new AbortController();
    const namespace = namespaceOf(tenant);
    let token: string | undefined;
    do {
      const paginationToken = token;
      const page = await this.#connection.run(
        () => this.#index.listPaginated({ namespace, ...(paginationToken === undefined ? {} : { paginationToken }) }),
        signal,
      );
      this.#checkOpen();
      const ids = (page?.result.vectors ?? []).flatMap(({ id }) => (id !== undefined && isHeadId(id) ? [id] : []));
      for (const { ref, version, kind } of await this.#fetch(tenant, ids, signal))
        if (kind !== "tombstone") yield { ref, version };
      token = page?.result.pagination?.next;
    } while (token !== undefined);
  }

  /** Reads every row: Pinecone counts records, of which a row may have several. */
  async count(tenant: TenantId): Promise<number> {
    let rows = 0;
    for await (const { version } of this.refs(tenant)) rows += Math.sign(version);
    return rows;
  }

  /** The service compacts by itself. */
  async maintain(options?: CallOptions): Promise<void> {
    using call = new CallSignal(options);
    call.throwIfAborted();
    this.#checkOpen();
  }

  /** From then on every call rejects with `reason`. */
  end(reason: LociError): void {
    this.#end = reason;
  }

  /**
   * Rows first, the checkpoint last: a namespace's log is in order, so that whoever sees the checkpoint sees the rows. After
   * a crash in between the batch is applied again, which changes nothing.
   */
  async #apply(
    log: TenantLog,
    tenant: TenantId,
    changes: readonly IndexChange[],
    through: Sequence,
    signal: AbortSignal,
  ): Promise<void> {
    if (log.isStale(performance.now())) await this.#readCheckpoint(log, tenant, signal);
    if (through < log.written) return;
    const heads = await this.#heads(log, tenant, [...new Set(changes.map(({ ref }) => ref))], signal);
    const { dimensions } = this.space;
    const writes = planWrites(changes, heads, dimensions, (ref) => log.attempted(ref));
    log.attempts(writes.heads);
    const namespace = namespaceOf(tenant);
    for (const records of upsertBatches(writes.upserts))
      await this.#write(() => this.#index.upsert({ records, namespace }), signal);
    for (const ids of partsOf(writes.deletes, deletedIds))
      await this.#write(() => this.#index.deleteMany({ ids, namespace }), signal);
    const records = [checkpointRecord(through, dimensions)];
    const written = await this.#write(() => this.#index.upsert({ records, namespace }), signal);
    log.wrote(through, written, writes.heads);
  }

  /** @returns the write's number in the namespace's log */
  async #write(work: () => Promise<void>, signal: AbortSignal): Promise<number | undefined> {
    const answer = await this.#connection.run(work, signal);
    this.#checkOpen();
    if (answer !== undefined) return answer.written;
    throw new LociError("COLLECTION_NOT_FOUND", {
      message: "Pinecone no longer has the index or the namespace that is written to.",
      resource: "pinecone",
      advice: "Open the collection again.",
    });
  }

  async #readCheckpoint(log: TenantLog, tenant: TenantId, signal: AbortSignal): Promise<void> {
    const namespace = namespaceOf(tenant);
    // A query, as only its answer says how far the log was read.
    const filter = { kind: { $eq: "checkpoint" } };
    const answer = await this.#connection.run(
      () => this.#index.query({ id: checkpointId, topK: 1, filter, includeMetadata: true, namespace }),
      signal,
    );
    this.#checkOpen();
    const own = answer?.result.matches.find(({ id }) => id === checkpointId);
    log.saw(readCheckpoint(own?.metadata), answer?.seen, performance.now());
  }

  async #heads(
    log: TenantLog,
    tenant: TenantId,
    refs: readonly Ref[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Ref, RowHead>> {
    const heads = new Map<Ref, RowHead>();
    const unknown: string[] = [];
    for (const ref of refs) {
      const written = log.head(ref);
      if (written === undefined) unknown.push(headId(ref));
      else heads.set(ref, written);
    }
    for (const record of await this.#fetch(tenant, unknown, signal)) heads.set(record.ref, record);
    return heads;
  }

  async #fetch(tenant: TenantId, ids: readonly string[], signal: AbortSignal): Promise<readonly FoundRecord[]> {
    const namespace = namespaceOf(tenant);
    const found: FoundRecord[] = [];
    for (const part of partsOf(ids, fetchedIds)) {
      const answer = await this.#connection.run(() => this.#index.fetch({ ids: part, namespace }), signal);
      this.#checkOpen();
      for (const { id, metadata } of Object.values(answer?.result.records ?? {})) {
        const record = readRecord(metadata);
        // A record whose id and metadata disagree was not written here.
        if (record !== undefined && id === headId(record.ref)) found.push(record);
      }
    }
    return found;
  }

  /** The best rows for one query vector: more records are asked for until enough rows are found, or there are no more. */
  async #nearest(
    tenant: TenantId,
    vector: number[],
    selected: object,
    where: Filter | undefined,
    limit: number,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<Ref, { readonly record: FoundRecord; readonly score: number }>> {
    const namespace = namespaceOf(tenant);
    const expression = where === undefined ? undefined : filterExpression(where);
    const filter = expression === undefined ? selected : { $and: [selected, expression] };
    for (let topK = Math.min(limit, maxTopK); ; topK = Math.min(2 * topK, maxTopK)) {
      const query = { vector, topK, filter, includeMetadata: true, namespace };
      const answer = await this.#connection.run(() => this.#index.query(query), signal);
      this.#checkOpen();
      const matches = answer?.result.matches ?? [];
      const found = new Map<Ref, { readonly record: FoundRecord; readonly score: number }>();
      for (const { id, metadata, score = 0 } of matches) {
        const record = readRecord(metadata);
        if (record === undefined || !id.startsWith(recordId(record.ref, 0).slice(0, -1))) continue;
        if (where !== undefined && !record.isPartial && !matchesFilter(where, record.fields)) continue;
        // The best record of a row comes first; one of an older version is about to go.
        const known = found.get(record.ref);
        if (known === undefined || known.record.version < record.version) found.set(record.ref, { record, score });
      }
      if (found.size >= limit || matches.length < topK || topK === maxTopK) return found;
    }
  }

  #logOf(tenant: TenantId): TenantLog {
    let log = this.#logs.get(tenant);
    if (log === undefined) this.#logs.set(tenant, (log = new TenantLog()));
    return log;
  }

  #check(tenant: TenantId): void {
    this.#checkOpen();
    checkTenant(tenant);
  }

  #checkOpen(): void {
    if (this.#end !== undefined) throw this.#end;
  }
}

/** Names of tenants may hold what names of namespaces may not, and must not be confused whatever they hold. */
function namespaceOf(tenant: TenantId): string {
  return `tenant-${createHash("sha256").update(tenant).digest("hex")}`;
}
