import type {
  CallOptions,
  Category,
  ContentHash,
  EmbeddingSpaceId,
  Instant,
  NonEmpty,
  Ref,
  Scope,
  ScopeMemories,
  Sequence,
  TenantId,
} from "@loci/domain";
import {
  type AskedRequest,
  type CheckedEntries,
  type CommitBatch,
  type CommitListener,
  type Committed,
  type Decision,
  type EmbeddingCacheTable,
  type FamilyChoice,
  type JobTable,
  type KnownAtQuery,
  type Ledger,
  type LedgerUpkeep,
  type ListQuery,
  type LogEntry,
  type LogReadOptions,
  type LeaseListener,
  type LedgerEncryption,
  type MemoriesWithNeighbours,
  type MemoryPlace,
  type ModelUsageTable,
  type PendingProjection,
  type ProjectionLease,
  type Purged,
  type PurgedQuery,
  type PurgedRef,
  type PurgeSelection,
  type CheckpointTable,
  type RecallMarkTable,
  type ReceiptTable,
  type RefsQuery,
  type ResourceTable,
  type ScanQuery,
  type ScopesQuery,
  type SettingsTable,
  type StandingQuery,
  type StoredMemory,
  type TagQuery,
  type UsageEntry,
  type TenantsQuery,
} from "@loci/ledger";
import { familiesOf } from "@loci/ledger/sql";
import type { CommitNotifier } from "./commit-notifier.ts";
import { CommitQueue } from "./commit-queue.ts";
import { CommitWriter } from "./commit-writer.ts";
import type { Connections } from "./connections.ts";
import { readDecisions } from "./decision-reader.ts";
import { EmbeddingReader, embeddingCacheTable } from "./embedding-store.ts";
import { countSealedRows } from "./encryption/count-sealed-rows.ts";
import type { LedgerKeys } from "./encryption/ledger-keys.ts";
import { RowResealer } from "./encryption/row-resealer.ts";
import { jobTable } from "./job-table.ts";
import { LogReader } from "./log-reader.ts";
import { countMemories, maintainTables, purgedRefs, sizeOfTables } from "./maintenance.ts";
import { MemoryReader } from "./memory-reader.ts";
import { readOrderedRefs } from "./ordered-refs.ts";
import { toLociError } from "./postgres-error.ts";
import { ProjectionLeases } from "./projection-leases.ts";
import type { Pruner } from "./pruner.ts";
import { Purge } from "./purge.ts";
import { checkpointTable } from "./checkpoint-table.ts";
import { receiptTable } from "./receipt-table.ts";
import { recallMarkTable } from "./recall-mark-table.ts";
import { resourceTable } from "./resource-table.ts";
import { RequestReader } from "./request-reader.ts";
import type { SchemaWatch } from "./schema-watch.ts";
import { readScopes } from "./scope-counts.ts";
import { ScopeReader } from "./scope-reader.ts";
import { settingsTable } from "./settings-table.ts";
import { modelUsageTable, recordShown, recordUsage, shownCounts } from "./usage-tables.ts";

/** What a ledger is made of. */
export interface PostgresLedgerParts {
  readonly connections: Connections;
  readonly notifier: CommitNotifier;
  readonly pruner: Pruner;
  readonly schemaWatch: SchemaWatch;
  readonly schema: string;
  readonly keys: LedgerKeys;
  /** Default: the database's. */
  readonly clock: (() => Instant) | undefined;
  readonly requestRetentionMilliseconds: number;
  readonly ownerConnectionString: string | undefined;
}

/** The ledger: commits go through a queue, everything else to the database as it comes. */
export class PostgresLedger implements Ledger {
  readonly embeddingCache: EmbeddingCacheTable;
  readonly encryption: LedgerEncryption | undefined;
  readonly jobs: JobTable;
  readonly modelUsage: ModelUsageTable;
  readonly checkpoints: CheckpointTable;
  readonly recallMarks: RecallMarkTable;
  readonly receipts: ReceiptTable;
  readonly resources: ResourceTable;
  readonly settings: SettingsTable;
  readonly #parts: PostgresLedgerParts;
  readonly #connections: Connections;
  readonly #commits: CommitQueue;
  readonly #memories: MemoryReader;
  readonly #scopes: ScopeReader;
  readonly #log: LogReader;
  readonly #embeddings: EmbeddingReader;
  readonly #leases: ProjectionLeases;
  readonly #purge: Purge;
  readonly #requests: RequestReader;
  #closing: Promise<void> | undefined;

  constructor(parts: PostgresLedgerParts) {
    const { connections, clock, keys } = parts;
    this.#parts = parts;
    this.#connections = connections;
    this.#commits = new CommitQueue(new CommitWriter(connections, keys, clock, parts.requestRetentionMilliseconds));
    this.#memories = new MemoryReader(connections, keys);
    this.#scopes = new ScopeReader(connections, keys);
    this.#log = new LogReader(connections, keys);
    this.#embeddings = new EmbeddingReader(connections, this.#log, keys);
    this.#leases = new ProjectionLeases(connections, clock);
    this.#requests = new RequestReader(connections, clock, parts.requestRetentionMilliseconds);
    this.#purge = new Purge(connections, this.#scopes, clock);
    this.embeddingCache = embeddingCacheTable(connections);
    this.checkpoints = checkpointTable(connections, keys);
    this.jobs = jobTable(connections, clock);
    this.modelUsage = modelUsageTable(connections);
    this.recallMarks = recallMarkTable(connections, parts.pruner, clock);
    this.receipts = receiptTable(connections, parts.pruner, clock);
    this.resources = resourceTable(connections, keys);
    this.settings = settingsTable(connections);
    this.encryption = encryptionOf(connections, keys);
  }

  async commit(batch: CommitBatch, call?: CallOptions): Promise<Committed> {
    this.#connections.throwIfClosing();
    const committed = await this.#commits.commit(batch, call);
    if (!committed.replayed && committed.results.length > 0)
      this.#parts.notifier.announce(batch.tenant, committed.sequence, familiesOf(batch.changes));
    return committed;
  }

  changes(tenant: TenantId, after: Sequence, limit: number, options?: LogReadOptions): Promise<readonly LogEntry[]> {
    return this.#log.changes(tenant, after, limit, options);
  }

  checkEntries(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<CheckedEntries> {
    return this.#log.check(tenant, after, limit, call);
  }

  head(tenant: TenantId, choice?: FamilyChoice): Promise<Sequence> {
    return this.#log.head(tenant, choice?.families);
  }

  onCommitted(listener: CommitListener): () => void {
    return this.#parts.notifier.add(listener);
  }

  lease(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined> {
    return this.#leases.take(tenant, projection);
  }

  askForLease(tenant: TenantId, projection: string): Promise<void> {
    return this.#parts.notifier.askForLease(tenant, projection);
  }

  onLeaseAskedFor(listener: LeaseListener): () => void {
    return this.#parts.notifier.addLeaseListener(listener);
  }

  pending(projection: string, choice?: FamilyChoice): Promise<readonly PendingProjection[]> {
    return this.#log.pending(projection, choice);
  }

  resetProjection(projection: string): Promise<void> {
    return this.#leases.reset(projection);
  }

  answered(tenant: TenantId, request: AskedRequest, call?: CallOptions): Promise<Committed | undefined> {
    return this.#requests.answered(tenant, request, call);
  }

  decisions(
    tenant: TenantId,
    activity: string,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<Ref, Decision>> {
    return readDecisions(this.#parts, tenant, activity, refs, call);
  }

  memories(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>> {
    return this.#memories.current(tenant, refs, call);
  }

  versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#memories.versions(tenant, ref, call);
  }

  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#scopes.list(tenant, query, call);
  }

  standing(tenant: TenantId, query: StandingQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#scopes.standing(tenant, query, call);
  }

  byTags(tenant: TenantId, query: TagQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#scopes.byTags(tenant, query, call);
  }

  tags(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly category: Category },
    call?: CallOptions,
  ): Promise<readonly string[]> {
    return this.#scopes.tags(tenant, query.scopes, query.category, call);
  }

  asKnownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#scopes.knownAt(tenant, query, call);
  }

  atPositions(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    places: readonly MemoryPlace[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#memories.atPositions(tenant, scopes, places, call);
  }

  withNeighbours(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<MemoriesWithNeighbours> {
    return this.#memories.withNeighbours(tenant, scopes, refs, call);
  }

  bySlots(
    tenant: TenantId,
    query: Parameters<Ledger["bySlots"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#memories.bySlots(tenant, query, call);
  }

  byTexts(
    tenant: TenantId,
    query: Parameters<Ledger["byTexts"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#memories.byTexts(tenant, query, call);
  }

  byKeys(
    tenant: TenantId,
    query: Parameters<Ledger["byKeys"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#memories.byKeys(tenant, query, call);
  }

  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<number | undefined> {
    return this.#memories.lastPosition(tenant, scope, sourceId);
  }

  embeddings(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>> {
    return this.#embeddings.vectors(tenant, space, hashes, call);
  }

  embedded(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>> {
    return this.#embeddings.present(tenant, space, hashes);
  }

  withoutEmbedding(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]> {
    return this.#embeddings.missing(tenant, space, limit);
  }

  tenantsWithoutEmbeddings(space: EmbeddingSpaceId): Promise<readonly TenantId[]> {
    return this.#embeddings.tenantsWithMissing(space);
  }

  recordUsage(tenant: TenantId, entries: readonly UsageEntry[]): Promise<void> {
    return recordUsage(this.#connections, tenant, entries);
  }

  recordShown(tenant: TenantId, refs: readonly Ref[]): Promise<void> {
    return recordShown(this.#connections, tenant, refs);
  }

  shownCounts(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, number>> {
    return shownCounts(this.#connections, tenant, refs, call);
  }

  async tenants({ after = "" as TenantId, limit, ...call }: TenantsQuery = {}): Promise<readonly TenantId[]> {
    const names = [...(await this.#log.heads(call)).keys()].filter((name) => byCodeUnits(name, after) > 0);
    return names.toSorted(byCodeUnits).slice(0, limit);
  }

  count(tenant: TenantId, call?: CallOptions): Promise<number> {
    return countMemories(this.#connections, tenant, call);
  }

  scopes(tenant: TenantId, query: ScopesQuery, call?: CallOptions): Promise<readonly ScopeMemories[]> {
    return readScopes(this.#connections, tenant, query, call);
  }

  refs(tenant: TenantId, query: RefsQuery, call?: CallOptions): Promise<Uint8Array> {
    return readOrderedRefs({ ...this.#parts, lists: this.#scopes }, tenant, query, call);
  }

  scan(tenant: TenantId, query: ScanQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#scopes.scan(tenant, query, call);
  }

  async purge(tenant: TenantId, selection: PurgeSelection, call?: CallOptions): Promise<Purged> {
    const before = await this.head(tenant);
    // It may have something beside its log.
    if (before === 0 && "refs" in selection) return { memories: 0, resources: 0, head: 0 };
    const { families, ...purged } = await this.#purge.run(tenant, selection, call).finally(() => {
      this.#embeddings.forget();
      this.#memories.forget();
    });
    const head = await this.head(tenant);
    if (head > before) this.#parts.notifier.announce(tenant, head, families);
    return { ...purged, head };
  }

  purged(tenant: TenantId, query: PurgedQuery, call?: CallOptions): Promise<readonly PurgedRef[]> {
    return purgedRefs(this.#connections, tenant, query, call);
  }

  async maintain({ scrub }: { readonly scrub: boolean }, call?: CallOptions): Promise<LedgerUpkeep> {
    this.#connections.throwIfClosing();
    const { ownerConnectionString, schema } = this.#parts;
    await this.#parts.pruner.prune();
    try {
      return await maintainTables(ownerConnectionString, schema, { scrub, call });
    } catch (error) {
      throw toLociError(error, this.#connections.where);
    }
  }

  size(call?: CallOptions): Promise<number> {
    return sizeOfTables(this.#connections, call);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const { notifier, pruner, schemaWatch } = this.#parts;
    pruner.stop();
    schemaWatch.stop();
    // What was accepted is still told to the other servers.
    await this.#connections.close(this.#commits.settled().then(() => notifier.close()));
  }
}

function encryptionOf(connections: Connections, keys: LedgerKeys): LedgerEncryption | undefined {
  const { given } = keys;
  if (given === undefined) return undefined;
  const resealer = new RowResealer(connections, keys);
  return {
    currentKey: given.current,
    blinding: given.current,
    blinded: (tenant, kind, word) => given.blinded(given.current, tenant, kind, word),
    rows: (call) => countSealedRows(connections, call),
    reseal: async (from, call) => {
      connections.throwIfClosing();
      return resealer.step(from, call);
    },
    retireOtherKeys: async (pass) => {
      connections.throwIfClosing();
      return resealer.retire(pass);
    },
  };
}

function byCodeUnits(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
