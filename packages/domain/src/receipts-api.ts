import type { TokenUsage } from "./assembly.ts";
import type { CallOptions } from "./call-options.ts";
import type { MemoryId, Version } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { Receipt } from "./receipt.ts";
import type { Scope } from "./scope.ts";
import type { SessionKey } from "./session.ts";

/** A context that was assembled, as a list of receipts shows it. */
export interface KeptReceiptSummary {
  /** A UUIDv7, as `assemble` gave it. */
  readonly id: string;
  /** When the context was assembled. */
  readonly assembledAt: Instant;
  /** Who asked for it, such as `api-key:ci` or `local`. */
  readonly subject: string;
  /** Whose memories and blocks it was made of, and whose its session is. */
  readonly scopes: readonly Scope[];
  /** Whose turns it shows. Absent for messages that the caller gave. */
  readonly session?: SessionKey | undefined;
  readonly layout: string;
  readonly model?: string | undefined;
  readonly usage: TokenUsage;
  /** How many items stand in it whole, how many shortened, and how many were dropped. */
  readonly kept: number;
  readonly shortened: number;
  readonly dropped: number;
  readonly stablePrefixHash: string;
  readonly stablePrefixTokens: number;
}

/** Tells whether a section of the stable prefix is the same in another context. */
export interface PrefixSection {
  readonly name: string;
  /** The first 16 digits of the SHA-256 of its content, in hex. */
  readonly hash: string;
}

/** Which version of a memory a context was made of. */
export interface MemoryVersion {
  readonly id: MemoryId;
  readonly version: Version;
}

/** What Loci knows of a context that it has assembled: ids, versions and numbers, and no text. */
export interface KeptReceipt {
  readonly summary: KeptReceiptSummary;
  /** As the answer had it, without the sources of memories and without what recall left out. */
  readonly receipt: Receipt;
  /** The sections that are wholly in the stable prefix, in order. */
  readonly prefix: readonly PrefixSection[];
  /** Of the items that are memories, each once. */
  readonly memories: readonly MemoryVersion[];
}

/** What {@link ReceiptsApi.list} takes. */
export interface ListReceiptsRequest {
  /** The most there are, 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface ListReceiptsResult {
  /** Newest first. */
  readonly receipts: readonly KeptReceiptSummary[];
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
  /** How long receipts are kept here, in milliseconds. 0: none are. */
  readonly keepMilliseconds: number;
}

/**
 * Receipts of contexts that were assembled lately. Kept for a time, of a tenant the newest 10,000, and only of contexts whose use is
 * recorded: looking leaves nothing behind. One that names an erased memory or scope goes with it.
 */
export interface ReceiptsApi {
  /**
   * Those whose scopes the credential all covers; of one without a scope, those that keys with no other scopes asked for. Needs the
   * role `read`.
   *
   * @throws LociError `INVALID_NUMBER`, `INVALID_PAGE_TOKEN`
   */
  list(request?: ListReceiptsRequest, options?: CallOptions): Promise<ListReceiptsResult>;
  /** @throws LociError `RECEIPT_NOT_FOUND`, also for one that the caller may not read; `INVALID_IDENTIFIER` */
  get(id: string, options?: CallOptions): Promise<KeptReceipt>;
}
