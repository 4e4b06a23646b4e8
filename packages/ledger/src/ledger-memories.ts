import type {
  CallOptions,
  Category,
  Instant,
  MemoryOrder,
  MemoryRecord,
  MemoryState,
  NonEmpty,
  Ref,
  Scope,
  ScopeKind,
  ScopeMemories,
  TenantId,
} from "@loci/domain";
import type { StoredMemory } from "./stored-memory.ts";

/** A stretch of memories, newest creation first, then by ref. */
export interface NewestQuery {
  readonly scopes: NonEmpty<Scope>;
  readonly categories?: readonly Category[] | undefined;
  /** Memories that expired by then are left out. */
  readonly evaluationTime: Instant;
  readonly limit: number;
  /** The last one of the page before. */
  readonly after?: { readonly createdAt: Instant; readonly ref: Ref } | undefined;
}

export interface ListQuery extends NewestQuery {
  /** Default: active ones. */
  readonly states?: readonly MemoryState[] | undefined;
  /** Only those that were true then, as `heldAt` says. Default: all. */
  readonly validAt?: Instant | undefined;
  /** Among tombstones those, too, of memories that were quarantined when they were removed. Default false. */
  readonly withUnapproved?: boolean | undefined;
}

/** Active memories with at least one of the tags. */
export interface TagQuery extends NewestQuery {
  readonly tags: NonEmpty<string>;
}

export interface StandingQuery {
  readonly scopes: NonEmpty<Scope>;
  /** Memories that expired by then are left out. */
  readonly evaluationTime: Instant;
  /** Of each scope. */
  readonly limit: number;
}

/** What was known of some scopes at a recorded time. */
export interface KnownAtQuery {
  readonly scopes: NonEmpty<Scope>;
  /** By the ledger's clock, inclusive. */
  readonly knownAt: Instant;
  /** Most versions to give. More of them is a refusal, never a part. */
  readonly limit: number;
}

/** A stretch of a tenant's memories, by ref. */
export interface ScanQuery {
  /** The last ref of the stretch before. */
  readonly after?: Ref | undefined;
  readonly limit: number;
  /** Default: every scope. */
  readonly scopes?: NonEmpty<Scope> | undefined;
}

/** A stretch of a tenant's scopes that hold memories. */
export interface ScopesQuery {
  /** Every scope of these kinds. */
  readonly kinds: readonly ScopeKind[];
  /** And these, each once, whether their kind is named or not. */
  readonly scopes: readonly Scope[];
  /** The last one of the stretch before. */
  readonly after?: Scope | undefined;
  readonly limit: number;
}

/** Memories of which the refs are wanted, in an order. */
export interface RefsQuery {
  /** Every scope of these kinds. */
  readonly kinds: readonly ScopeKind[];
  /** And these, each once, of other kinds. */
  readonly scopes: readonly Scope[];
  readonly states: NonEmpty<MemoryState>;
  readonly categories?: readonly Category[] | undefined;
  /** Memories that expired by then are left out. */
  readonly evaluationTime: Instant;
  /** Among tombstones those, too, of memories that were quarantined when they were removed. Default false. */
  readonly withUnapproved?: boolean | undefined;
  /** The largest first, then by ref. */
  readonly order: MemoryOrder;
  /** What their texts hold: capital and small letters are the same. With it each memory is read. */
  readonly text?: string | undefined;
  /** Which of them are wanted: asked of each, quickly. With it each memory is read. Default all. */
  readonly suits?: ((memory: MemoryRecord) => boolean) | undefined;
  /** Most refs to give. More of them is a refusal, never a part. */
  readonly limit: number;
}

/** A place in a source that memories cite. */
export interface MemoryPlace {
  readonly sourceId: string;
  readonly position: number;
  /** A memory of the place that is known and need not be given. */
  readonly besides?: Ref | undefined;
}

/** Looked at of a slot in a scope. Most slots have one value that holds. */
export const valuesOfSlot = 10;

/** Memories that were asked for by ref, as they are now, and what stands beside them. */
export interface MemoriesWithNeighbours {
  readonly memories: ReadonlyMap<Ref, StoredMemory>;
  /**
   * The other active memories of the scopes at the places that the memories cite, and just before and after these, in no particular
   * order.
   */
  readonly neighbours: readonly StoredMemory[];
  /**
   * The other active memories that have the slot of one of the memories, in its scope if that is one of the scopes, in no particular order: of
   * each at most `valuesOfSlot`, those with the largest refs.
   */
  readonly sameSlot: readonly StoredMemory[];
}

/** Memories: current versions and former ones. */
export interface LedgerMemories {
  /** Current versions, tombstones included. */
  memories(tenant: TenantId, refs: readonly Ref[], call?: CallOptions): Promise<ReadonlyMap<Ref, StoredMemory>>;
  /** Every version of one memory, oldest first, tombstones included. */
  versions(tenant: TenantId, ref: Ref, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Memories in some states, newest creation first, then by ref. */
  list(tenant: TenantId, query: ListQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /**
   * Active memories that stand in every context of their scope (see `standingWeight`): of each scope, in the order given, the
   * weightiest first, then by ref.
   */
  standing(tenant: TenantId, query: StandingQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Active memories of the category with at least one of the tags (compared in lower case), newest first, then by ref. */
  byTags(tenant: TenantId, query: TagQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** The tags of active memories of the category in the scopes: in lower case, each once, in no particular order. */
  tags(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly category: Category },
    call?: CallOptions,
  ): Promise<readonly string[]>;
  /**
   * The memories that were active and in one of the scopes once everything recorded by then, and nothing since, had been
   * recorded: of each the version it had, in the order of the log. Usage is today's.
   *
   * @throws LociError `TOO_MANY_VERSIONS` when there are more than `limit`
   */
  asKnownAt(tenant: TenantId, query: KnownAtQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
  /** Active memories that cite one of the places in one of the sources. */
  atPositions(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    places: readonly MemoryPlace[],
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /**
   * As `memories`, with what stands at their places and beside, and other values of their slots. Only of ledgers on another machine, where it
   * saves waiting for `memories` before asking `atPositions` and `bySlots`.
   */
  withNeighbours?(
    tenant: TenantId,
    scopes: NonEmpty<Scope>,
    refs: readonly Ref[],
    call?: CallOptions,
  ): Promise<MemoriesWithNeighbours>;
  /**
   * Active memories of the scopes whose slot is one of these, in no particular order: of each slot in each scope at most
   * `limitOfEach`, those with the largest refs.
   */
  bySlots(
    tenant: TenantId,
    query: { readonly scopes: NonEmpty<Scope>; readonly slots: readonly string[]; readonly limitOfEach: number },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /**
   * Active memories of the scope with one of the texts, in no particular order: of each text at most `limitOfEach`, those with
   * the largest refs. Texts are compared in composed form (NFC) and without white space at their ends.
   */
  byTexts(
    tenant: TenantId,
    query: { readonly scope: Scope; readonly texts: readonly string[]; readonly limitOfEach: number },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /**
   * The memories of the scope with the keys, active or quarantined, in no particular order: of each key one, or none. Keys are
   * compared byte for byte.
   */
  byKeys(
    tenant: TenantId,
    query: { readonly scope: Scope; readonly keys: readonly string[] },
    call?: CallOptions,
  ): Promise<readonly StoredMemory[]>;
  /** The highest position cited in a source by any memory of the scope, or `undefined`. */
  lastPosition(tenant: TenantId, scope: Scope, sourceId: string): Promise<number | undefined>;
  /** How many memories a tenant has, tombstones included. */
  count(tenant: TenantId, call?: CallOptions): Promise<number>;
  /**
   * The scopes that hold active memories, and how many each, in the order of their names as `formatScope` gives them, by code
   * points. One that has expired counts for as long as it is active. Reads no memory, only an index. Fewer than `limit` only
   * at the end.
   */
  scopes(tenant: TenantId, query: ScopesQuery, call?: CallOptions): Promise<readonly ScopeMemories[]>;
  /**
   * The refs of memories in an order, each once, however many there are, as 16 bytes each: nobody waits for them meanwhile. What is
   * changed while they are read may be among them, or not.
   *
   * @throws LociError `TOO_MANY_MEMORIES` when there are more than `limit`
   */
  refs(tenant: TenantId, query: RefsQuery, call?: CallOptions): Promise<Uint8Array>;
  /** Current versions in every state, tombstones included, by ref. Fewer than `limit` only at the end. */
  scan(tenant: TenantId, query: ScanQuery, call?: CallOptions): Promise<readonly StoredMemory[]>;
}
