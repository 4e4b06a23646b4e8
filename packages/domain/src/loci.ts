import type { BlocksApi } from "./blocks-api.ts";
import type { AssembledContext, AssembleRequest } from "./assembly.ts";
import type {
  BudgetCheck,
  BudgetCheckRequest,
  EnforceBudgetRequest,
  EnforcedBudget,
  RecordUsageRequest,
  TokenCount,
  TrimmedMessages,
  TrimRequest,
  UsageTotals,
} from "./budget.ts";
import type { CallOptions } from "./call-options.ts";
import type { Caller } from "./caller.ts";
import type { CapturesApi } from "./captures-api.ts";
import type { MaintenanceApi } from "./maintenance.ts";
import type { MemoryId, Version } from "./identifiers.ts";
import type { GetMemoriesRequest, GetMemoriesResult } from "./many-memories.ts";
import type { Memory } from "./memory.ts";
import type { MemoryIdsPart, MemoryIdsRequest } from "./memory-ids.ts";
import type { MemoryKey } from "./memory-key.ts";
import type {
  ConversationInput,
  EtagPrecondition,
  ListMemoriesRequest,
  ListMemoriesResult,
  ListMemoryScopesRequest,
  ListMemoryScopesResult,
  MemoryPatch,
  MissingAllowed,
  RememberInput,
} from "./memory-input.ts";
import type { ExportedMemory, ExportMemoriesRequest, MemoryChange, WatchMemoriesRequest } from "./memory-stream.ts";
import type { RecallRequest, RecallResult } from "./recall.ts";
import type { ReceiptsApi } from "./receipts-api.ts";
import type { SessionsApi } from "./sessions-api.ts";
import type { LociStatus } from "./status.ts";

/** Memories: storing, reading, changing. */
export interface MemoriesApi {
  /**
   * Stores one memory as given and returns it once it is durable. It can be recalled at once. When the embedder did
   * not answer in 2 s the memory is stored without a vector and says `embedding: "pending"`. A text that a memory of the
   * scope says already gives that memory new evidence instead, unless `repeat` is `add`.
   *
   * A secret is stored as given, and the answer has a warning: who calls has chosen the words. What a model has chosen or an
   * import has found (an `origin` other than `manual`) is refused with `SECRET_REFUSED`.
   */
  remember(input: RememberInput, options?: CallOptions): Promise<Memory>;
  /**
   * Stores up to 1,000 memories in one transaction: all or none. Answers in the order of the inputs; those that say the same
   * are one memory, given for each of them.
   */
  rememberMany(inputs: readonly RememberInput[], options?: CallOptions): Promise<readonly Memory[]>;
  /**
   * Stores each turn as a memory (category `note`, text `speaker: content`, provenance `conversation:{session}` with its
   * position), in one transaction. At most 1,000 turns a call. A turn that this session already holds is not stored twice;
   * one that was erased stays erased, and is left out of the answer.
   */
  rememberConversation(input: ConversationInput, options?: CallOptions): Promise<readonly Memory[]>;
  /**
   * By its id, or by its key in a scope.
   *
   * @throws LociError `MEMORY_NOT_FOUND`, also for a memory outside the credential's scopes and, without the role `approve`, for one
   *   that waits for approval: it cannot be read, changed or forgotten by its id either
   */
  get(which: MemoryId | MemoryKey, options?: CallOptions): Promise<Memory>;
  /**
   * Reads up to 500 memories by their ids, such as the page of a list. Needs the role `read`.
   *
   * @throws LociError `INVALID_IDENTIFIER`, `INVALID_REQUEST`, `INVALID_NUMBER`
   */
  getMany(request: GetMemoriesRequest, options?: CallOptions): Promise<GetMemoriesResult>;
  /**
   * Memories of the scopes, newest first, a page at a time: active ones, or those in the `states` that are asked for. Without
   * `validAt` those that are closed are among them, which recall does not show: their `validTo` has passed. Those that have
   * expired are not.
   *
   * @throws LociError `ROLE_REQUIRED` for `quarantined` without the role `approve`, `INVALID_REQUEST` for no state or an unknown
   *   one, `INVALID_PAGE_TOKEN`
   */
  list(request: ListMemoriesRequest, options?: CallOptions): Promise<ListMemoriesResult>;
  /**
   * The ids of memories in an order, all of them, 4,096 in a part: a list of any length can be shown by it, and its memories read with
   * `getMany` where they are looked at. Needs the role `read`.
   *
   * @throws LociError `TOO_MANY_MEMORIES` when there are more than 5,000,000; `ROLE_REQUIRED` for `quarantined` without the role
   *   `approve`; `INVALID_REQUEST`, `INVALID_FILTER`, `INVALID_TEXT`
   */
  ids(request: MemoryIdsRequest, options?: CallOptions): AsyncIterable<MemoryIdsPart, void, undefined>;
  /**
   * The scopes that hold memories and that the credential covers, with how many each, a page at a time. Needs the role `read`.
   * No memory is read for it.
   *
   * @throws LociError `INVALID_REQUEST` for an unknown kind, `INVALID_NUMBER`, `INVALID_PAGE_TOKEN`
   */
  scopes(request?: ListMemoryScopesRequest, options?: CallOptions): Promise<ListMemoryScopesResult>;
  /**
   * Makes a new version. With `allowMissing`, and a key: makes the memory of what the patch says when there is none with the key, else
   * changes that one, whatever its version. Of several at once one makes it.
   *
   * @throws LociError `VERSION_CONFLICT` when the etag is not the current one; `MEMORY_EXISTS` when the memory with the key waits for
   *   approval and is not the caller's to see
   */
  update(
    which: MemoryId | MemoryKey,
    patch: MemoryPatch,
    precondition: EtagPrecondition | MissingAllowed,
    options?: CallOptions,
  ): Promise<Memory>;
  /** Leaves a tombstone, and frees the key: never recalled again, listed only when `deleted` is asked for, versions kept until purged. */
  forget(id: MemoryId, precondition?: EtagPrecondition, options?: CallOptions): Promise<void>;
  /**
   * Every version, oldest first, a tombstone included. Those that waited for approval only with the role `approve`.
   *
   * @throws LociError `MEMORY_NOT_FOUND`, as `get` does, and for what was forgotten while it waited
   */
  versions(id: MemoryId, options?: CallOptions): Promise<readonly Memory[]>;
  /**
   * Makes an old version's content the newest version. Also brings back what was forgotten. It is no approval: what waits for one, or
   * waited then, waits again, with a review (`captures.reviews.list`).
   */
  restore(id: MemoryId, version: Version, options?: CallOptions): Promise<Memory>;
  /** Says that the memories were used: they count as accessed now. Unknown ids are passed over. */
  markUsed(ids: readonly MemoryId[], options?: CallOptions): Promise<void>;
  /**
   * Tells of changes as they happen, until the caller leaves the loop, its signal aborts or its deadline passes. A connection
   * that was lost is taken up again where it was. Needs the role `read` in the scopes.
   *
   * @throws LociError `CURSOR_EXPIRED` when the cursor is of a ledger that was restored or replaced since: read all again,
   *   `since: "beginning"`; `INVALID_CURSOR`
   */
  watch(request: WatchMemoriesRequest, options?: CallOptions): AsyncIterable<MemoryChange, void, undefined>;
  /**
   * Everything that the credential's scopes cover but what was erased: every state, current versions, by id. What is
   * written meanwhile may be among it. Needs the role `admin`.
   */
  export(request?: ExportMemoriesRequest, options?: CallOptions): AsyncIterable<ExportedMemory, void, undefined>;
}

/** Tokens of texts, as a model counts them. */
export interface TokensApi {
  /**
   * Counts a text by the tokenizer of `model`, by default `o200k_base`. Where that is not public the count is `estimated`, and rather too
   * high than too low. Roles of messages and tags are not in it.
   *
   * @throws LociError `INVALID_TEXT`, `TEXT_TOO_LARGE`
   */
  count(
    request: { readonly text: string; readonly model?: string | undefined },
    options?: CallOptions,
  ): Promise<TokenCount>;
}

/** The guard of every model call: enough room before it, what it used after it. */
export interface BudgetApi {
  /**
   * Says whether a call of a model with so many tokens fits, and how many are over. Changes and records nothing.
   *
   * @throws LociError `INVALID_BUDGET`; `INVALID_REQUEST` for an `onExceed` that is none
   */
  check(request: BudgetCheckRequest, options?: CallOptions): Promise<BudgetCheck>;
  /**
   * Makes messages fit: trims, summarises what was trimmed, checks, and stops the call when nothing else helps.
   * `onExceed` says how far it may go: `STOP` changes nothing, `TRIM` (the default) only trims.
   *
   * @throws LociError `BUDGET_EXCEEDED`, `KEPT_MESSAGES_TOO_LARGE`; `USAGE_CAP_REACHED` when the call could take the
   *   session or the tenant over its cap
   */
  enforce(request: EnforceBudgetRequest, options?: CallOptions): Promise<EnforcedBudget>;
  /**
   * Adds what a model call used to its session and tenant, once for each `requestId`. Returns the totals of the session,
   * else of the tenant, as they are then.
   */
  record(request: RecordUsageRequest, options?: CallOptions): Promise<UsageTotals>;
  /**
   * What a session used, or without one the whole tenant. A credential that is limited to some scopes has sessions of its own,
   * and without one sees what credentials with the same scope patterns recorded for no session.
   */
  totals(request: { readonly session?: string | undefined }, options?: CallOptions): Promise<UsageTotals>;
  /**
   * Drops the oldest messages until the rest fits. The system prompt, the latest message of the user and the last three
   * messages stay; a tool call and its results stay or go together.
   *
   * @throws LociError `KEPT_MESSAGES_TOO_LARGE` when what stays does not fit; `INVALID_MESSAGES`
   */
  trim(request: TrimRequest, options?: CallOptions): Promise<TrimmedMessages>;
}

/**
 * Loci, in process (`openLoci`) or over gRPC (`connectLoci`): the same calls, the same answers.
 *
 * Every method rejects with a `LociError` and stops its work when its signal aborts or its deadline passes.
 */
export interface Loci extends AsyncDisposable {
  readonly memories: MemoriesApi;
  readonly sessions: SessionsApi;
  readonly blocks: BlocksApi;
  readonly captures: CapturesApi;
  readonly receipts: ReceiptsApi;
  readonly tokens: TokensApi;
  readonly budget: BudgetApi;
  readonly maintenance: MaintenanceApi;
  /**
   * Finds the memories that answer a question, best first: by meaning and by words, in the named scopes and nowhere else. Where nothing is
   * relevant there are no hits, which is no error. Needs the role `read`.
   *
   * @throws LociError `SCOPE_REQUIRED` without a scope; `SCOPE_NOT_PERMITTED`; `INVALID_FILTER`, `INVALID_NUMBER`, and what else is wrong with
   *   a field
   */
  recall(request: RecallRequest, options?: CallOptions): Promise<RecallResult>;
  /**
   * Makes the context of one model call: the given texts, blocks, the conversation and what is recalled, within the tokens of the window.
   * Memories are looked for only with `recall`. What may not be cut is never cut: then it is an error that says how many tokens are too many.
   * The same request with the same `evaluationTime` gives the same bytes. Needs the role `read`.
   *
   * @throws LociError `SECTION_OVER_BUDGET`, `QUERY_TOO_LARGE`, `KEPT_MESSAGES_TOO_LARGE`, `HISTORY_TOO_LARGE` or `WINDOW_TOO_SMALL` when what may
   *   not be cut does not fit; `RESERVED_DELIMITER` for a text of yours that holds a tag of the layout; `INVALID_TEXT` with neither a query nor a
   *   message of the user; `SESSION_NOT_FOUND`, `INVALID_LAYOUT`; as `recall`
   */
  assemble(request: AssembleRequest, options?: CallOptions): Promise<AssembledContext>;
  /** Whom Loci takes this caller for: every credential may ask. */
  caller(options?: CallOptions): Promise<Caller>;
  /**
   * How Loci is: what it holds of the tenant, and whether all that follows the ledger has kept up. Needs the role `read` and the
   * scope pattern `*`.
   *
   * @throws LociError `ROLE_REQUIRED`, `SCOPE_NOT_PERMITTED`
   */
  status(options?: CallOptions): Promise<LociStatus>;
  /** Resolves when every index has caught up with everything committed before the call. */
  settled(options?: CallOptions): Promise<void>;
  /** Finishes or drops running work within 2 s and lets go of files and connections. Later calls reject with `CLOSED`. */
  close(): Promise<void>;
}
