import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import {
  CallSignal,
  type CallOptions,
  type Category,
  type ContentHash,
  type EmbeddingSpaceId,
  type Instant,
  type NonEmpty,
  type Ref,
  type Scope,
  type ScopeMemories,
  type Sequence,
  type TenantId,
} from "@loci/domain";
import {
  type AskedRequest,
  type CheckedEntries,
  type CheckpointTable,
  type CommitBatch,
  type CommitListener,
  type Committed,
  type Decision,
  type EmbeddingCacheTable,
  type Family,
  type FamilyChoice,
  type JobTable,
  type KnownAtQuery,
  type Ledger,
  type LedgerEncryption,
  type LedgerUpkeep,
  type ListQuery,
  type LogEntry,
  type LogReadOptions,
  type ModelUsageTable,
  type PendingProjection,
  type ProjectionLease,
  type Purged,
  type PurgedQuery,
  type PurgedRef,
  type PurgeSelection,
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
import { familiesOf, ledgerClosed, type LedgerSealing, refsToPurge } from "@loci/ledger/sql";
import { DecisionReader } from "./decision-reader.ts";
import { countSealedRows } from "./encryption/count-sealed-rows.ts";
import { EmbeddingReader } from "./embedding-reader.ts";
import { encodeBatchInTurns } from "./encode-batch.ts";
import { KnownAtReader } from "./known-at-reader.ts";
import { LogReader } from "./log-reader.ts";
import { MaintenanceReader } from "./maintenance-reader.ts";
import type { MovableLedger } from "./moving/movable-ledger.ts";
import type { MoveResult, MoveStep } from "./moving/move-operation.ts";
import { MemoryReader } from "./memory-reader.ts";
import { NewestFirst } from "./newest-first.ts";
import { OrderedRefsReader } from "./ordered-refs.ts";
import { ReadingPace } from "./reading-pace.ts";
import type { RecentMemories } from "./recent-memories.ts";
import type { RecentTags } from "./recent-tags.ts";
import { ResourceReader } from "./resource-reader.ts";
import { RequestReader } from "./request-reader.ts";
import { ScopeCounts } from "./scope-counts.ts";
import { sideTables } from "./side-tables.ts";
import { toLociError } from "./sqlite-error.ts";
import { emptyLogAfterReaders } from "./empty-log-after-readers.ts";
import { StandingReader } from "./standing-reader.ts";
import { TagReader } from "./tag-reader.ts";
import type { WriterThread } from "./writer-thread.ts";

/** What a ledger is made of. */
export interface SqliteLedgerParts {
  readonly path: string;
  readonly writer: WriterThread;
  /** Must observe the writer. */
  readonly recentMemories: RecentMemories;
  /** Must observe the writer. */
  readonly recentTags: RecentTags;
  readonly reader: DatabaseSync;
  /** Reads what concerns all tenants. */
  readonly overview: DatabaseSync;
  readonly sealing: LedgerSealing;
  readonly clock: () => Instant;
  readonly requestRetentionMilliseconds: number;
  /** Called once, after the files are closed. */
  readonly onClosed: () => void;
}

/**
 * The ledger: writes go to the writer thread, reads are made here.
 *
 * A read of a few rows takes about 20 µs, less than the way to another thread and back, and never waits for a writer;
 * a long one is cut into steps that take turns with the rest of the event loop.
 */
export class SqliteLedger implements Ledger, MovableLedger {
  readonly encryption: LedgerEncryption | undefined;
  readonly embeddingCache: EmbeddingCacheTable;
  readonly checkpoints: CheckpointTable;
  readonly jobs: JobTable;
  readonly modelUsage: ModelUsageTable;
  readonly recallMarks: RecallMarkTable;
  readonly receipts: ReceiptTable;
  readonly resources: ResourceTable;
  readonly settings: SettingsTable;
  readonly #parts: SqliteLedgerParts;
  readonly #memories: MemoryReader;
  readonly #newestFirst: NewestFirst;
  readonly #knownAt: KnownAtReader;
  readonly #tags: TagReader;
  readonly #standing: StandingReader;
  readonly #scopeCounts: ScopeCounts;
  readonly #orderedRefs: OrderedRefsReader;
  readonly #log: LogReader;
  readonly #maintenance: MaintenanceReader;
  readonly #embeddings: EmbeddingReader;
  readonly #requests: RequestReader;
  readonly #decisions: DecisionReader;
  readonly #resources: ResourceReader;
  readonly #listeners = new Set<CommitListener>();
  readonly #reads = new Set<Promise<unknown>>();
  /** Of batches that were accepted, and are not yet with the writer. */
  readonly #encodings = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  #closed = false;

  constructor(parts: SqliteLedgerParts) {
    this.#parts = parts;
    this.encryption = this.#encryptionOf(parts.sealing);
    this.#memories = new MemoryReader(parts.reader, parts.recentMemories, parts.sealing);
    this.#newestFirst = new NewestFirst(parts.reader, parts.sealing);
    this.#knownAt = new KnownAtReader(parts.reader);
    this.#tags = new TagReader(parts.reader, parts.recentTags, parts.sealing);
    this.#standing = new StandingReader(parts.reader);
    this.#scopeCounts = new ScopeCounts(parts.reader);
    this.#orderedRefs = new OrderedRefsReader(parts.reader, parts.sealing);
    this.#log = new LogReader(parts.reader, parts.overview, parts.sealing);
    this.#maintenance = new MaintenanceReader(parts.reader, parts.overview);
    this.#embeddings = new EmbeddingReader(parts.reader, parts.overview);
    this.#requests = new RequestReader(parts.reader, parts.requestRetentionMilliseconds);
    this.#decisions = new DecisionReader(parts.reader, parts.sealing);
    const resources = new ResourceReader(parts.reader, parts.sealing);
    this.#resources = resources;
    this.resources = {
      get: (tenant, family, refs, call) => this.#read(call, (pace) => resources.get(tenant, family, refs, pace)),
      list: (tenant, query, call) => this.#read(call, (pace) => resources.list(tenant, query, pace)),
      entries: (tenant, query, call) => this.#read(call, (pace) => resources.entries(tenant, query, pace)),
    };
    const tables = sideTables({
      database: parts.reader,
      maintenance: this.#maintenance,
      embeddings: this.#embeddings,
      sealing: parts.sealing,
      clock: parts.clock,
      read: (call, read) => this.#read(call, read),
      write: (operation) => parts.writer.write(operation),
      checkOpen: () => this.#throwIfClosing(),
    });
    this.jobs = tables.jobs;
    this.modelUsage = tables.modelUsage;
    this.checkpoints = tables.checkpoints;
    this.recallMarks = tables.recallMarks;
    this.receipts = tables.receipts;
    this.settings = tables.settings;
    this.embeddingCache = tables.embeddingCache;
  }

  async commit(batch: CommitBatch, call?: CallOptions): Promise<Committed> {
    this.#throwIfClosing();
    const encoding = encodeBatchInTurns(batch);
    this.#encodings.add(encoding);
    const operation = await encoding;
    this.#encodings.delete(encoding);
    const { committed, firstEmbeddings } = await this.#parts.writer.write(operation, call);
    this.#embeddings.keep(
      batch.tenant,
      firstEmbeddings.flatMap((index) => batch.embeddings?.[index] ?? []),
    );
    if (!committed.replayed && committed.results.length > 0) {
      this.#log.keepWritten(operation, committed);
      this.#announce(batch.tenant, committed.sequence, familiesOf(batch.changes));
    }
    return committed;
  }

  changes(tenant: TenantId, after: Sequence, limit: number, options?: LogReadOptions): Promise<readonly LogEntry[]> {
    return this.#read(options, (pace) => this.#log.changes(tenant, after, limit, options?.families, pace));
  }

  checkEntries(tenant: TenantId, after: Sequence, limit: number, call?: CallOptions): Promise<CheckedEntries> {
    return this.#read(call, (pace) => this.#log.check(tenant, after, limit, pace));
  }

  head(tenant: TenantId, choice?: FamilyChoice): Promise<Sequence> {
    return this.#read(undefined, () => this.#log.head(tenant, choice?.families));
  }

  onCommitted(listener: CommitListener): () => void {
    // The same function may be given twice; each registration is its own.
    const registered: CommitListener = (tenant, head, families) => listener(tenant, head, families);
    this.#listeners.add(registered);
    return () => this.#listeners.delete(registered);
  }

  async lease(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined> {
    this.#throwIfClosing();
    const { writer } = this.#parts;
    const lease = { tenant, projection, holder: randomUUID() };
    if (!(await writer.write({ type: "lease", ...lease }))) return undefined;
    return {
      acknowledge: async (through) => {
        this.#throwIfClosing();
        return writer.write({ type: "acknowledge", ...lease, through });
      },
      release: async () => {
        // A lease that outlives the ledger ends when it is opened again.
        if (this.#closing === undefined) await writer.write({ type: "release", ...lease });
      },
    };
  }

  pending(projection: string, choice?: FamilyChoice): Promise<readonly PendingProjection[]> {
    return this.#read(undefined, (pace) => this.#log.pending(projection, choice?.families, pace));
  }

  async resetProjection(projection: string): Promise<void> {
    this.#throwIfClosing();
    await this.#parts.writer.write({ type: "resetProjection", projection });
  }

  answered(tenant: TenantId, request: AskedRequest, call?: CallOptions): Promise<Committed | undefined> {
    return this.#read(call, () => this.#requests.answered(tenant, request, this.#parts.clock()));
  }

  decisions(
    tenant: TenantId,
    activity: string,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<Ref, Decision>> {
    return this.#read(call, (pace) => this.#decisions.latest(tenant, activity, refs, pace));
  }

  memories(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>> {
    return this.#read(call, (pace) => this.#memories.current(tenant, refs, pace));
  }

  versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, (pace) => this.#memories.versions(tenant, ref, pace));
  }

  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, async (pace) => {
      const sequences = await this.#newestFirst.list(tenant, query, pace);
      return this.#memories.atSequences(tenant, sequences, pace);
    });
  }

  standing(tenant: TenantId, query: StandingQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, async (pace) => {
      const versions = await this.#standing.find(tenant, query, pace);
      return this.#memories.found(tenant, versions, pace);
    });
  }

  byTags(tenant: TenantId, query: TagQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, async (pace) => {
      const sequences = await this.#newestFirst.byTags(tenant, query, pace);
      return this.#memories.atSequences(tenant, sequences, pace);
    });
  }

  tags(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly category: Category },
    call?: CallOptions,
  ): Promise<readonly string[]> {
    return this.#read(call, (pace) => this.#tags.ofCategory(tenant, query.scopes, query.category, pace));
  }

  asKnownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, async (pace) => {
      const sequences = await this.#knownAt.versions(tenant, query, pace);
      return this.#memories.atSequences(tenant, sequences, pace);
    });
  }

  atPositions(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    places: readonly { readonly sourceId: string; readonly position: number }[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#read(call, (pace) => this.#memories.atPositions(tenant, scopes, places, pace));
  }

  bySlots(
    tenant: TenantId,
    query: Parameters<Ledger["bySlots"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#read(call, (pace) => this.#memories.bySlots(tenant, query, pace));
  }

  byTexts(
    tenant: TenantId,
    query: Parameters<Ledger["byTexts"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#read(call, (pace) => this.#memories.byTexts(tenant, query, pace));
  }

  byKeys(
    tenant: TenantId,
    query: Parameters<Ledger["byKeys"]>[1],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]> {
    return this.#read(call, (pace) => this.#memories.byKeys(tenant, query, pace));
  }

  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<number | undefined> {
    return this.#read(undefined, () => this.#memories.lastPosition(tenant, scope, sourceId));
  }

  embeddings(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
    call?: CallOptions,
  ): Promise<ReadonlyMap<ContentHash, NonEmpty<Float32Array>>> {
    return this.#read(call, (pace) => this.#embeddings.vectors(tenant, space, hashes, pace));
  }

  embedded(
    tenant: TenantId,
    space: EmbeddingSpaceId,
    hashes: readonly ContentHash[],
  ): Promise<ReadonlySet<ContentHash>> {
    return this.#read(undefined, (pace) => this.#embeddings.present(tenant, space, hashes, pace));
  }

  withoutEmbedding(tenant: TenantId, space: EmbeddingSpaceId, limit: number): Promise<readonly StoredMemory[]> {
    return this.#read(undefined, async (pace) => {
      const sequences = await this.#embeddings.missing(tenant, space, limit, pace);
      return this.#memories.atSequences(tenant, sequences, pace);
    });
  }

  tenantsWithoutEmbeddings(space: EmbeddingSpaceId, call?: CallOptions): Promise<readonly TenantId[]> {
    return this.#read(call, (pace) => this.#embeddings.tenantsWithMissing(space, pace));
  }

  async recordUsage(tenant: TenantId, entries: readonly UsageEntry[]): Promise<void> {
    this.#throwIfClosing();
    if (entries.length > 0) await this.#parts.writer.write({ type: "recordUsage", tenant, entries });
  }

  async recordShown(tenant: TenantId, refs: readonly Ref[]): Promise<void> {
    this.#throwIfClosing();
    if (refs.length > 0) await this.#parts.writer.write({ type: "recordShown", tenant, refs });
  }

  shownCounts(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, number>> {
    return this.#read(call, (pace) => this.#maintenance.shownCounts(tenant, refs, pace));
  }

  tenants(query: TenantsQuery = {}): Promise<readonly TenantId[]> {
    return this.#read(query, (pace) => this.#maintenance.tenants(query, pace));
  }

  count(tenant: TenantId, call?: CallOptions): Promise<number> {
    return this.#read(call, () => this.#maintenance.count(tenant));
  }

  scopes(tenant: TenantId, query: ScopesQuery, call?: CallOptions): Promise<readonly ScopeMemories[]> {
    return this.#read(call, (pace) => this.#scopeCounts.read(tenant, query, pace));
  }

  refs(tenant: TenantId, query: RefsQuery, call?: CallOptions): Promise<Uint8Array> {
    return this.#read(call, (pace) => this.#orderedRefs.read(tenant, query, pace));
  }

  scan(tenant: TenantId, query: ScanQuery, call?: CallOptions): Promise<readonly StoredMemory[]> {
    return this.#read(call, async (pace) => {
      const sequences = await this.#maintenance.scan(tenant, query, pace);
      return this.#memories.atSequences(tenant, sequences, pace);
    });
  }

  async purge(tenant: TenantId, selection: PurgeSelection, call?: CallOptions): Promise<Purged> {
    const before = await this.head(tenant);
    // It may have something beside its log.
    if (before === 0 && "refs" in selection) return { memories: 0, resources: 0, head: 0 };
    const { writer } = this.#parts;
    const purged = { memories: 0, resources: 0 };
    try {
      const memories = async (query: ScanQuery): Promise<readonly Ref[]> =>
        (await this.scan(tenant, query, call)).map(({ memory }) => memory.id);
      const resources = (query: ScanQuery): Promise<readonly Ref[]> =>
        this.#read(call, async () => this.#resources.refs(tenant, query));
      for await (const refs of refsToPurge(selection, memories, resources)) {
        const counts = await writer.write({ type: "purge", tenant, refs }, call);
        purged.memories += counts.memories;
        purged.resources += counts.resources;
      }
      const scopes = "scopes" in selection ? selection.scopes : [];
      await writer.write({ type: "sweep", tenant, everything: "everything" in selection, scopes }, call);
    } finally {
      this.#embeddings.forget();
      this.#log.forget();
    }
    const head = await this.head(tenant);
    // Of whatever family: each looks for itself.
    if (head > before) this.#announce(tenant, head, undefined);
    return { ...purged, head };
  }

  purged(tenant: TenantId, query: PurgedQuery, call?: CallOptions): Promise<readonly PurgedRef[]> {
    return this.#read(call, () => this.#maintenance.purged(tenant, query));
  }

  async maintain(options: { readonly scrub: boolean }, call?: CallOptions): Promise<LedgerUpkeep> {
    this.#throwIfClosing();
    const { bytes, isLogEmpty } = await this.#parts.writer.write({ type: "maintain", scrub: options.scrub }, call);
    if (!isLogEmpty) await this.#emptyLog(call);
    return { reclaimedBytes: bytes, unproven: [] };
  }

  size(call?: CallOptions): Promise<number> {
    // What is not yet in the file of the database is in its log.
    return this.#read(call, () => bytesOf(this.#parts.path) + bytesOf(`${this.#parts.path}-wal`));
  }

  async move(tenant: TenantId, step: MoveStep): Promise<MoveResult> {
    this.#throwIfClosing();
    const result = await this.#parts.writer.write({ type: "moveTenant", tenant, step });
    if (step.type === "remove" || step.type === "arrive") {
      this.#parts.recentMemories.forget();
      this.#parts.recentTags.forget();
      this.#embeddings.forget();
      this.#log.forget();
    }
    // Whoever follows the log has it before them from now on.
    if (step.type === "arrive" || step.type === "stay") this.#announce(tenant, await this.head(tenant), undefined);
    return result;
  }

  tenantsWithSetting(name: string, call?: CallOptions): Promise<readonly TenantId[]> {
    return this.#read(call, () => this.#maintenance.tenantsWithSetting(name));
  }

  async settleTenants(): Promise<void> {
    this.#throwIfClosing();
    await this.#emptyLog();
  }

  async hideTenants(tenants: readonly TenantId[]): Promise<void> {
    this.#throwIfClosing();
    if (tenants.length > 0) await this.#parts.writer.write({ type: "hideTenants", tenants });
  }

  #encryptionOf({ fields, columns }: LedgerSealing): LedgerEncryption | undefined {
    if (fields === undefined) return undefined;
    const { writer, overview } = this.#parts;
    return {
      currentKey: fields.current,
      blinding: columns.keyId,
      blinded: (tenant, kind, word) => fields.blinded(columns.keyId, tenant, kind, word),
      rows: (call) => this.#read(call, (pace) => countSealedRows(overview, pace)),
      reseal: async (from, call) => {
        this.#throwIfClosing();
        return writer.write({ type: "reseal", from }, call);
      },
      retireOtherKeys: async (pass, call) => {
        this.#throwIfClosing();
        return writer.write({ type: "retireKeys", pass }, call);
      },
    };
  }

  #emptyLog(call?: CallOptions): Promise<void> {
    return emptyLogAfterReaders(this.#parts.writer, call, () => this.#throwIfClosing());
  }

  checkWriting(): void {
    this.#parts.writer.throwIfStopped();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await Promise.allSettled([...this.#reads, ...this.#encodings]);
    this.#closed = true;
    // Without it the next opening looks at more of the log, so that a full disk need not keep the ledger from closing.
    for (const { tenant, setting, through } of this.#embeddings.embeddedThrough())
      await this.#parts.writer
        .write({ type: "setting", tenant, name: setting, value: String(through) })
        .catch(() => undefined);
    // The readers first: whoever closes last writes the log file's pages back, and that is work for the writer thread.
    this.#parts.reader.close();
    this.#parts.overview.close();
    await this.#parts.writer.close();
    this.#listeners.clear();
    this.#parts.onClosed();
  }

  async #read<Result>(
    call: CallOptions | undefined,
    read: (pace: ReadingPace) => Promise<Result> | Result,
  ): Promise<Result> {
    this.#throwIfClosing();
    using over = new CallSignal(call);
    over.throwIfAborted();
    const pace = new ReadingPace(over, () => {
      if (this.#closed) throw ledgerClosed();
    });
    let running: Promise<unknown> | undefined;
    try {
      const result = read(pace);
      if (!(result instanceof Promise)) return result;
      running = result;
      this.#reads.add(running);
      return await result;
    } catch (error) {
      throw toLociError(error, this.#parts.path);
    } finally {
      if (running !== undefined) this.#reads.delete(running);
    }
  }

  #announce(tenant: TenantId, head: Sequence, families: readonly Family[] | undefined): void {
    for (const listener of this.#listeners) {
      try {
        listener(tenant, head, families);
      } catch (error) {
        // The commit is done: a listener's fault must not make it look failed.
        process.emitWarning(error instanceof Error ? error : String(error), "LociListenerWarning");
      }
    }
  }

  #throwIfClosing(): void {
    if (this.#closing !== undefined) throw ledgerClosed();
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
