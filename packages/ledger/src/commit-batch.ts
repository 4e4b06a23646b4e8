import type { Instant, Ref, Scope, Sequence, TenantId, Version } from "@loci/domain";
import type { Change } from "./change.ts";
import type { Author } from "./log-entry.ts";
import type { ResourceChange } from "./resource-change.ts";
import type { EmbeddingOfRecord } from "./ledger-embeddings.ts";
import type { ModelUsageEntry } from "./ledger-usage.ts";

/** Something that must be so for a batch to be committed. Of resources only in a batch that changes some. */
export interface Expectation {
  readonly ref: Ref;
  /** The current version; 0: it must not exist. A tombstone has a version like any other. */
  readonly version: Version;
}

/** That no other memory says the same when a batch is committed. */
export interface TextExpectation {
  readonly scope: Scope;
  /** Compared as `byTexts` compares. */
  readonly text: string;
  /** Active memories with this text that are known of. */
  readonly known: readonly Ref[];
}

/** Makes a batch safe to repeat. Scoped to tenant, subject and method. */
export interface Idempotency {
  readonly method: string;
  readonly requestId: string;
  /** Of the request as the caller sent it, before ids and times were made up. */
  readonly bodyHash: string;
}

/** What was decided about a memory, and from what. Numbers and names, never text. */
export interface Decision {
  readonly ref: Ref;
  /** In UPPER_SNAKE. */
  readonly reason: string;
  readonly details: Readonly<Record<string, string>>;
}

export interface CommitBatch {
  readonly tenant: TenantId;
  /** Kept with each entry. */
  readonly author: Author;
  /** Where the author may write: every memory of the changes, as it is and as it is to be. `*` for everywhere. */
  readonly scopePatterns: readonly string[];
  /** Why, in UPPER_SNAKE. Kept with each entry. */
  readonly reason?: string | undefined;
  readonly idempotency?: Idempotency | undefined;
  readonly expect: readonly Expectation[];
  /** Before the batch's changes: one more active memory with the text is a `VERSION_CONFLICT`. */
  readonly expectTexts?: readonly TextExpectation[] | undefined;
  /** Of memories and of resources of other families: together, or not at all. */
  readonly changes: readonly (Change | ResourceChange)[];
  readonly embeddings?: readonly EmbeddingOfRecord[] | undefined;
  /** What a model call used, outside the log like `modelUsage.add`, but counted once for each idempotency key. */
  readonly modelUsage?: ModelUsageEntry | undefined;
  /** By the author's activity. Of each memory and activity the latest is kept, for as long as the memory is. */
  readonly decisions?: readonly Decision[] | undefined;
}

export interface Committed {
  /** Of the batch's last change. */
  readonly sequence: Sequence;
  readonly recordedAt: Instant;
  /** True when the idempotency key had been used: nothing was written, and `results` are the first time's. */
  readonly replayed: boolean;
  /** One a change, in order. */
  readonly results: readonly { readonly ref: Ref; readonly version: Version }[];
}
