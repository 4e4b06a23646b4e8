import { statSync } from "node:fs";
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
import type {
  AskedRequest,
  CheckedEntries,
  Committed,
  Decision,
  FamilyChoice,
  KnownAtQuery,
  Ledger,
  ListQuery,
  LogEntry,
  LogReadOptions,
  MemoryPlace,
  PendingProjection,
  PurgedQuery,
  PurgedRef,
  RefsQuery,
  ResourceTable,
  ScanQuery,
  ScopesQuery,
  StandingQuery,
  StoredMemory,
  TagQuery,
  TenantsQuery,
} from "@loci/ledger";
import { RunningReads } from "./running-reads.ts";
import { type LedgerReaders, type LedgerReadersParts, makeLedgerReaders } from "./ledger-readers.ts";

/** What the reads of a ledger are made of. */
export interface SqliteReadsParts extends LedgerReadersParts {
  readonly path: string;
  readonly clock: () => Instant;
}

/**
 * The reads of the ledger, which are made on the thread that calls.
 *
 * A read of a few rows takes about 20 µs, less than the way to another thread and back, and never waits for a writer;
 * a long one is cut into steps that take turns with the rest of the event loop.
 */
export class SqliteReads {
  readonly resources: ResourceTable;
  protected readonly reads: RunningReads;
  protected readonly readers: LedgerReaders;
  readonly #path: string;
  readonly #clock: () => Instant;

  constructor(parts: SqliteReadsParts) {
    this.#path = parts.path;
    this.#clock = parts.clock;
    this.reads = new RunningReads(parts.path);
    this.readers = makeLedgerReaders(parts);
    const { reads } = this;
    const { resources } = this.readers;
    this.resources = {
      get: (tenant, family, refs, call) => reads.run(call, (pace) => resources.get(tenant, family, refs, pace)),
      list: (tenant, query, call) => reads.run(call, (pace) => resources.list(tenant, query, pace)),
      entries: (tenant, query, call) => reads.run(call, (pace) => resources.entries(tenant, query, pace)),
    };
  }

  changes(tenant: TenantId, after: Sequence, limit: number, options?: LogReadOptions): Promise<readonly LogEntry[]> {
    return this.reads.run(options, (pace) => this.readers.log.changes(tenant, after, limit, options?.families, pace));
  }

  checkEntries(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<CheckedEntries> {
    return this.reads.run(call, (pace) => this.readers.log.check(tenant, after, limit, pace));
  }

  head(tenant: TenantId, choice?: FamilyChoice): Promise<Sequence> {
    return this.reads.run(undefined, () => this.readers.log.head(tenant, choice?.families));
  }

  pending(projection: string, choice?: FamilyChoice): Promise<readonly PendingProjection[]> {
    return this.reads.run(undefined, (pace) => this.readers.log.pending(projection, choice?.families, pace));
  }

  answered(tenant: TenantId, request: AskedRequest, call?: CallOptions): Promise<Committed | undefined> {
    return this.reads.run(call, () => this.readers.requests.answered(tenant, request, this.#clock()));
  }

  decisions(
    tenant: TenantId,
    activity: string,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<Ref, Decision>> {
    return this.reads.run(call, (pace) => this.readers.decisions.latest(tenant, activity, refs, pace));
  }

  memories(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>> {
    return this.reads.run(call, (pace) => this.readers.memories.current(tenant, refs, pace));
  }

  versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, (pace) => this.readers.memories.versions(tenant, ref, pace));
  }

  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, async (pace) => {
      const sequences = await this.readers.newestFirst.list(tenant, query, pace);
      return this.readers.memories.atSequences(tenant, sequences, pace);
    });
  }

  standing(tenant: TenantId, query: StandingQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, async (pace) => {
      const versions = await this.readers.standing.find(tenant, query, pace);
      return this.readers.memories.found(tenant, versions, pace);
    });
  }

  byTags(tenant: TenantId, query: TagQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, async (pace) => {
      const sequences = await this.readers.newestFirst.byTags(tenant, query, pace);
      return this.readers.memories.atSequences(tenant, sequences, pace);
    });
  }

  tags(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly category: Category },
    call?: CallOptions,
  ): Promise<readonly string[]> {
    return this.reads.run(call, (pace) => this.readers.tags.ofCategory(tenant, query.scopes, query.category, pace));
  }

  asKnownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, async (pace) => {
      const sequences = await this.readers.knownAt.versions(tenant, query, pace);
      return this.readers.memories.atSequences(tenant, sequences, pace);
    });
  }

  atPositions(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    places: readonly MemoryPlace[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, (pace) => this.readers.memories.atPositions(tenant, scopes, places, pace));
  }

  bySlots(
    tenant: TenantId,
    query: Parameters<Ledger["bySlots"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, (pace) => this.readers.memories.bySlots(tenant, query, pace));
  }

  byTexts(
    tenant: TenantId,
    query: Parameters<Ledger["byTexts"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, (pace) => this.readers.memories.byTexts(tenant, query, pace));
  }

  byKeys(
    tenant: TenantId,
    query: Parameters<Ledger["byKeys"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, (pace) => this.readers.memories.byKeys(tenant, query, pace));
  }

  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<number | undefined> {
    return this.reads.run(undefined, () => this.readers.memories.lastPosition(tenant, scope, sourceId));
  }

  embeddings(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>> {
    return this.reads.run(call, (pace) => this.readers.embeddings.vectors(tenant, space, hashes, pace));
  }

  embedded(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>> {
    return this.reads.run(undefined, (pace) => this.readers.embeddings.present(tenant, space, hashes, pace));
  }

  withoutEmbedding(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]> {
    return this.reads.run(undefined, async (pace) => {
      const sequences = await this.readers.embeddings.missing(tenant, space, limit, pace);
      return this.readers.memories.atSequences(tenant, sequences, pace);
    });
  }

  tenantsWithoutEmbeddings(space: EmbeddingSpaceId, call?: CallOptions): Promise<readonly TenantId[]> {
    return this.reads.run(call, (pace) => this.readers.embeddings.tenantsWithMissing(space, pace));
  }

  shownCounts(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, number>> {
    return this.reads.run(call, (pace) => this.readers.maintenance.shownCounts(tenant, refs, pace));
  }

  tenants(query: TenantsQuery = {}): Promise<readonly TenantId[]> {
    return this.reads.run(query, (pace) => this.readers.maintenance.tenants(query, pace));
  }

  count(tenant: TenantId, call?: CallOptions): Promise<number> {
    return this.reads.run(call, () => this.readers.maintenance.count(tenant));
  }

  scopes(tenant: TenantId, query: ScopesQuery, call?: CallOptions): Promise<readonly ScopeMemories[]> {
    return this.reads.run(call, (pace) => this.readers.scopeCounts.read(tenant, query, pace));
  }

  refs(tenant: TenantId, query: RefsQuery, call?: CallOptions): Promise<Uint8Array> {
    return this.reads.run(call, (pace) => this.readers.orderedRefs.read(tenant, query, pace));
  }

  scan(tenant: TenantId, query: ScanQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.reads.run(call, async (pace) => {
      const sequences = await this.readers.maintenance.scan(tenant, query, pace);
      return this.readers.memories.atSequences(tenant, sequences, pace);
    });
  }

  purged(tenant: TenantId, query: PurgedQuery, call?: CallOptions): Promise<readonly PurgedRef[]> {
    return this.reads.run(call, () => this.readers.maintenance.purged(tenant, query));
  }

  size(call?: CallOptions): Promise<number> {
    // What is not yet in the file of the database is in its log.
    return this.reads.run(call, () => bytesOf(this.#path) + bytesOf(`${this.#path}-wal`));
  }

  tenantsWithSetting(name: string, call?: CallOptions): Promise<readonly TenantId[]> {
    return this.reads.run(call, () => this.readers.maintenance.tenantsWithSetting(name));
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
