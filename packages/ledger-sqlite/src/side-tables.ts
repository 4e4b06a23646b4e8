import type { DatabaseSync } from "node:sqlite";
import type { CallOptions, Instant } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import { type LedgerSealing, packVectors } from "@loci/ledger/sql";
import type { EmbeddingReader } from "./embedding-reader.ts";
import type { MaintenanceReader } from "./maintenance-reader.ts";
import { CheckpointReader } from "./checkpoint-reader.ts";
import { JobReader } from "./job-reader.ts";
import { ModelUsageReader } from "./model-usage-reader.ts";
import type { ReadingPace } from "./reading-pace.ts";
import { RecallMarkReader } from "./recall-mark-reader.ts";
import { ReceiptReader } from "./receipt-reader.ts";
import type { WriterThread } from "./writer-thread.ts";

/** How the side tables are read and written. */
export interface SideTableAccess {
  readonly database: DatabaseSync;
  readonly maintenance: MaintenanceReader;
  readonly embeddings: EmbeddingReader;
  readonly sealing: LedgerSealing;
  readonly clock: () => Instant;
  /** @throws LociError `CLOSED`, and what ends the call */
  readonly read: <Result>(
    call: CallOptions | undefined,
    read: (pace: ReadingPace) => Promise<Result> | Result,
  ) => Promise<Result>;
  readonly write: WriterThread["write"];
  /** @throws LociError `CLOSED` */
  readonly checkOpen: () => void;
}

/** What the ledger keeps beside its log: it can be read and written without a change being recorded. */
export function sideTables({
  database,
  maintenance,
  embeddings,
  sealing,
  clock,
  read,
  write,
  checkOpen,
}: SideTableAccess): Pick<
  Ledger,
  "modelUsage" | "recallMarks" | "receipts" | "checkpoints" | "settings" | "embeddingCache" | "jobs"
> {
  const modelUsage = new ModelUsageReader(database);
  const jobs = new JobReader(database);
  const checkpoints = new CheckpointReader(database, sealing);
  const recallMarks = new RecallMarkReader(database);
  const receipts = new ReceiptReader(database);
  return {
    modelUsage: {
      add: async (tenant, entry) => {
        checkOpen();
        await write({ type: "modelUsage", tenant, entry });
      },
      read: (tenant, session) => read(undefined, () => modelUsage.account(tenant, session)),
    },
    recallMarks: {
      record: async (tenant, marks) => {
        checkOpen();
        if (marks.length > 0) await write({ type: "recallMarks", tenant, marks });
      },
      lastShown: (tenant, query, call) => read(call, (pace) => recallMarks.lastShown(tenant, query, pace)),
    },
    receipts: {
      record: async (tenant, kept, most) => {
        checkOpen();
        if (kept.length > 0) await write({ type: "receipts", tenant, receipts: kept, most });
      },
      list: (tenant, query, call) => read(call, () => receipts.list(tenant, query, clock())),
      get: (tenant, id, call) => read(call, () => receipts.get(tenant, id, clock())),
    },
    checkpoints: {
      add: async (tenant, owner, added, { replaces = false } = {}) => {
        checkOpen();
        if (added.length === 0 && !replaces) return;
        await write({ type: "checkpoints", tenant, owner, checkpoints: added, replaces });
      },
      outlines: (tenant, owner, call) => read(call, (pace) => checkpoints.outlines(tenant, owner, pace)),
      state: (tenant, owner, through, call) => read(call, () => checkpoints.state(tenant, owner, through)),
    },
    settings: {
      get: (tenant, name) => read(undefined, () => maintenance.setting(tenant, name)),
      set: async (tenant, name, value) => {
        checkOpen();
        await write({ type: "setting", tenant, name, value });
      },
      compareAndSet: async (tenant, name, expected, value) => {
        checkOpen();
        return write({ type: "settingIf", tenant, name, expected, value });
      },
      list: (tenant, prefix) => read(undefined, () => maintenance.settings(tenant, prefix)),
    },
    jobs: {
      enqueue: async (tenant, job) => {
        checkOpen();
        return write({ type: "enqueueJob", tenant, job });
      },
      claim: async (claim) => {
        // Looking costs 20 µs, so that the writer is not woken for nothing.
        if (!(await read(undefined, () => jobs.isAvailable(claim.kinds, clock())))) return undefined;
        return write({ type: "claimJob", claim });
      },
      renew: async (lease, leaseMilliseconds, progress) => {
        checkOpen();
        return write({ type: "renewJob", lease, leaseMilliseconds, progress });
      },
      finish: async (lease, outcome) => {
        checkOpen();
        return write({ type: "finishJob", lease, outcome });
      },
      cancel: async (tenant, id) => {
        checkOpen();
        return write({ type: "cancelJob", tenant, id });
      },
      get: (tenant, id, call) => read(call, () => jobs.get(tenant, id, clock())),
      list: (tenant, query, call) => read(call, () => jobs.list(tenant, query, clock())),
      unfinished: (kinds, call) => read(call, () => jobs.unfinished(kinds)),
      counts: (tenant, call) => read(call, () => jobs.counts(tenant, clock())),
    },
    embeddingCache: {
      get: (tenant, keys) => read(undefined, (pace) => embeddings.cached(tenant, keys, pace)),
      set: async (tenant, entries) => {
        checkOpen();
        if (entries.size === 0) return;
        const packed = packVectors(Array.from(entries.values(), (vector) => [vector]));
        await write({ type: "cache", tenant, keys: [...entries.keys()], ...packed });
      },
    },
  };
}
