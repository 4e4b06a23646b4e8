import type { CallOptions, Ref, Scope, TenantId } from "@loci/domain";

/** A receipt as a list has it. */
export interface ListedReceipt {
  /** A UUIDv7: ids sort by the time they were made. */
  readonly id: string;
  /** What the list shows of it, as its writer gave it. */
  readonly summary: string;
}

/** A receipt, all of it. */
export interface StoredReceipt extends ListedReceipt {
  /** As its writer gave it. */
  readonly body: Uint8Array;
}

/** A receipt to keep, and what it names: when one of that is purged, the receipt goes as well. */
export interface NewReceipt extends StoredReceipt {
  readonly refs: readonly Ref[];
  readonly scopes: readonly Scope[];
  /** How long it has to be kept, in milliseconds by the ledger's clock. */
  readonly keepMilliseconds: number;
}

/** Which receipts to list. */
export interface ReceiptQuery {
  /** Only those that are older: the last id of the stretch before. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** What contexts were made of lately, outside the log. Losing it loses an explanation, nothing else. */
export interface ReceiptTable {
  /**
   * Keeps receipts: of a tenant the newest `most`, the older ones go. One that names what was purged is passed over, and so is one whose
   * id is there. Also removes the receipts of every tenant that need not be kept any more.
   */
  record(tenant: TenantId, receipts: readonly NewReceipt[], most: number): Promise<void>;
  /** Newest first. Fewer than `limit` only at the end. */
  list(tenant: TenantId, query: ReceiptQuery, call?: CallOptions): Promise<readonly ListedReceipt[]>;
  /** Absent: never was, or need not be kept any more. */
  get(tenant: TenantId, id: string, call?: CallOptions): Promise<StoredReceipt | undefined>;
}

/** Receipts of contexts, kept for a time. */
export interface LedgerReceipts {
  readonly receipts: ReceiptTable;
}
