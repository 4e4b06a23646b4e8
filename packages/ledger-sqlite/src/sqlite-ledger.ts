import type { CallOptions, Ref, TenantId } from "@loci/domain";
import type {
  CheckpointTable,
  CommitBatch,
  CommitListener,
  Committed,
  EmbeddingCacheTable,
  JobTable,
  Ledger,
  LedgerEncryption,
  LedgerUpkeep,
  ModelUsageTable,
  ProjectionLease,
  Purged,
  PurgeSelection,
  RecallMarkTable,
  ReceiptTable,
  ScanQuery,
  SettingsTable,
  UsageEntry,
} from "@loci/ledger";
import { familiesOf, LedgerListeners, refsToPurge } from "@loci/ledger/sql";
import { encodeBatchInTurns } from "./encode-batch.ts";
import type { MovableLedger } from "./moving/movable-ledger.ts";
import type { MoveResult, MoveStep } from "./moving/move-operation.ts";
import type { CommitOperation } from "./write-operation.ts";
import { sideTables } from "./side-tables.ts";
import { emptyLogAfterReaders } from "./empty-log-after-readers.ts";
import type { WriterThread } from "./writer-thread.ts";
import { SqliteReads, type SqliteReadsParts } from "./sqlite-reads.ts";
import { ledgerEncryption } from "./encryption/ledger-encryption.ts";
import { takeLease } from "./projection-lease.ts";

/** What a ledger is made of. */
export interface SqliteLedgerParts extends SqliteReadsParts {
  readonly writer: WriterThread;
  /** Called once, after the files are closed. */
  readonly onClosed: () => void;
}

/** The ledger: reads are made here, and writes go to the writer thread. */
export class SqliteLedger extends SqliteReads implements Ledger, MovableLedger {
  readonly encryption: LedgerEncryption | undefined;
  readonly embeddingCache: EmbeddingCacheTable;
  readonly checkpoints: CheckpointTable;
  readonly jobs: JobTable;
  readonly modelUsage: ModelUsageTable;
  readonly recallMarks: RecallMarkTable;
  readonly receipts: ReceiptTable;
  readonly settings: SettingsTable;
  readonly #parts: SqliteLedgerParts;
  readonly #writer: WriterThread;
  readonly #listeners = new LedgerListeners<Parameters<CommitListener>>();
  /** Of batches that were accepted, and are not yet with the writer. */
  readonly #encodings = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: SqliteLedgerParts) {
    super(parts);
    const { writer, sealing, overview } = parts;
    const { reads, readers } = this;
    this.#parts = parts;
    this.#writer = writer;
    this.encryption = ledgerEncryption({ sealing, writer, reads, overview });
    const tables = sideTables({
      database: parts.reader,
      maintenance: readers.maintenance,
      embeddings: readers.embeddings,
      sealing,
      clock: parts.clock,
      read: (call, read) => reads.run(call, read),
      write: (operation) => writer.write(operation),
      checkOpen: () => reads.throwIfClosing(),
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
    this.reads.throwIfClosing();
    const encoding = encodeBatchInTurns(batch);
    this.#encodings.add(encoding);
    let operation: CommitOperation;
    try {
      operation = await encoding;
    } finally {
      this.#encodings.delete(encoding);
    }
    // With nothing waited for in between: who closes the ledger has the writer take all that is encoded.
    const { committed, firstEmbeddings } = await this.#writer.write(operation, call);
    this.readers.embeddings.keep(
      batch.tenant,
      firstEmbeddings.flatMap((index) => batch.embeddings?.[index] ?? []),
    );
    if (!committed.replayed && committed.results.length > 0) {
      this.readers.log.keepWritten(operation, committed);
      this.#listeners.tell(batch.tenant, committed.sequence, familiesOf(batch.changes));
    }
    return committed;
  }

  onCommitted(listener: CommitListener): () => void {
    return this.#listeners.add(listener);
  }

  lease(tenant: TenantId, projection: string): Promise<ProjectionLease | undefined> {
    return takeLease(this.#writer, this.reads, tenant, projection);
  }

  async resetProjection(projection: string): Promise<void> {
    this.reads.throwIfClosing();
    await this.#writer.write({ type: "resetProjection", projection });
  }

  async recordUsage(tenant: TenantId, entries: readonly UsageEntry[]): Promise<void> {
    this.reads.throwIfClosing();
    if (entries.length > 0) await this.#writer.write({ type: "recordUsage", tenant, entries });
  }

  async recordShown(tenant: TenantId, refs: readonly Ref[]): Promise<void> {
    this.reads.throwIfClosing();
    if (refs.length > 0) await this.#writer.write({ type: "recordShown", tenant, refs });
  }

  async purge(tenant: TenantId, selection: PurgeSelection, call?: CallOptions): Promise<Purged> {
    const before = await this.head(tenant);
    // It may have something beside its log.
    if (before === 0 && "refs" in selection) return { memories: 0, resources: 0, head: 0 };
    const writer = this.#writer;
    const purged = { memories: 0, resources: 0 };
    try {
      const memories = async (query: ScanQuery): Promise<readonly Ref[]> =>
        (await this.scan(tenant, query, call)).map(({ memory }) => memory.id);
      const resources = (query: ScanQuery): Promise<readonly Ref[]> =>
        this.reads.run(call, async () => this.readers.resources.refs(tenant, query));
      for await (const refs of refsToPurge(selection, memories, resources)) {
        const counts = await writer.write({ type: "purge", tenant, refs }, call);
        purged.memories += counts.memories;
        purged.resources += counts.resources;
      }
      const scopes = "scopes" in selection ? selection.scopes : [];
      await writer.write({ type: "sweep", tenant, everything: "everything" in selection, scopes }, call);
    } finally {
      this.readers.embeddings.forget();
      this.readers.log.forget();
    }
    const head = await this.head(tenant);
    // Of whatever family: each looks for itself.
    if (head > before) this.#listeners.tell(tenant, head, undefined);
    return { ...purged, head };
  }

  async maintain(options: { readonly scrub: boolean }, call?: CallOptions): Promise<LedgerUpkeep> {
    this.reads.throwIfClosing();
    const { bytes, isLogEmpty } = await this.#writer.write({ type: "maintain", scrub: options.scrub }, call);
    if (!isLogEmpty) await this.#emptyLog(call);
    return { reclaimedBytes: bytes, unproven: [] };
  }

  async move(tenant: TenantId, step: MoveStep): Promise<MoveResult> {
    this.reads.throwIfClosing();
    const result = await this.#writer.write({ type: "moveTenant", tenant, step });
    if (step.type === "remove" || step.type === "arrive") {
      this.#parts.recentMemories.forget();
      this.#parts.recentTags.forget();
      this.readers.embeddings.forget();
      this.readers.log.forget();
    }
    // Whoever follows the log has it before them from now on.
    if (step.type === "arrive" || step.type === "stay")
      this.#listeners.tell(tenant, await this.head(tenant), undefined);
    return result;
  }

  async settleTenants(): Promise<void> {
    this.reads.throwIfClosing();
    await this.#emptyLog();
  }

  async hideTenants(tenants: readonly TenantId[]): Promise<void> {
    this.reads.throwIfClosing();
    if (tenants.length > 0) await this.#writer.write({ type: "hideTenants", tenants });
  }

  #emptyLog(call?: CallOptions): Promise<void> {
    return emptyLogAfterReaders(this.#writer, call, () => this.reads.throwIfClosing());
  }

  checkWriting(): void {
    this.#writer.throwIfStopped();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    await Promise.all([this.reads.close(), Promise.allSettled(this.#encodings)]);
    // Without it the next opening looks at more of the log, so that a full disk need not keep the ledger from closing.
    for (const { tenant, setting, through } of this.readers.embeddings.embeddedThrough())
      await this.#writer
        .write({ type: "setting", tenant, name: setting, value: String(through) })
        .catch(() => undefined);
    // The readers first: whoever closes last writes the log file's pages back, and that is work for the writer thread.
    this.#parts.reader.close();
    this.#parts.overview.close();
    await this.#writer.close();
    this.#listeners.clear();
    this.#parts.onClosed();
  }
}
