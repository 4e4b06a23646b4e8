import type { CallOptions } from "@loci/domain";
import type { CommitBatch, Committed } from "./commit-batch.ts";
import type { LedgerCheckpoints } from "./ledger-checkpoints.ts";
import type { LedgerDecisions } from "./ledger-decisions.ts";
import type { LedgerEncryption } from "./ledger-encryption.ts";
import type { LedgerEmbeddings } from "./ledger-embeddings.ts";
import type { LedgerJobs } from "./ledger-jobs.ts";
import type { LedgerLog } from "./ledger-log.ts";
import type { LedgerMaintenance } from "./ledger-maintenance.ts";
import type { LedgerMemories } from "./ledger-memories.ts";
import type { LedgerProjections } from "./ledger-projections.ts";
import type { LedgerReceipts } from "./ledger-receipts.ts";
import type { LedgerRequests } from "./ledger-requests.ts";
import type { LedgerResources } from "./ledger-resources.ts";
import type { LedgerSettings } from "./ledger-settings.ts";
import type { LedgerUsage } from "./ledger-usage.ts";

/**
 * The system of record: transactional and durable, the only place that decides what exists, what is current and who may
 * see it. Every commit appends to one ordered log per tenant; everything else is a projection of that log.
 *
 * It is made of small interfaces, one a family of resources, and of what several of them take part in. Reads see every commit
 * acknowledged before them. Refs that do not exist are absent from answers, never an error.
 */
export interface Ledger
  extends
    LedgerLog,
    LedgerProjections,
    LedgerMemories,
    LedgerDecisions,
    LedgerRequests,
    LedgerResources,
    LedgerCheckpoints,
    LedgerEmbeddings,
    LedgerUsage,
    LedgerReceipts,
    LedgerSettings,
    LedgerJobs,
    LedgerMaintenance {
  /**
   * Commits a batch: all of it, or nothing. Resolves after it is on disk.
   *
   * @throws LociError `VERSION_CONFLICT` when an expectation does not hold; `REQUEST_ID_REUSED` when the idempotency key
   *   was used with another body; `MEMORY_ERASED` for a memory that was purged, and for an idempotency key whose answer
   *   names one; `SCOPE_NOT_PERMITTED`; `DISK_FULL`, `CLOSED`, `CANCELLED` (only when nothing was written)
   */
  commit(batch: CommitBatch, call?: CallOptions): Promise<Committed>;

  /** Absent: nothing in it is encrypted. */
  readonly encryption?: LedgerEncryption | undefined;

  /** Finishes what was accepted, then lets go of the files. */
  close(): Promise<void>;
}
