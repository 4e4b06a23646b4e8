import { fieldsOf } from "./check-fields.ts";
import type { Etag, MemoryId } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { Category, Memory, MemoryState, Metadata, Origin, Provenance, Trust, TurnRole } from "./memory.ts";
import type { Scope, ScopeInput, ScopeKind } from "./scope.ts";

/** What {@link MemoriesApi.remember} takes. Stored as given: nothing is extracted or rewritten. */
export interface RememberInput {
  /** 1 byte to 64 KiB of UTF-8, without NUL and lone surrogates, and something in it that can be seen. */
  readonly text: string;
  readonly scope: ScopeInput;
  /**
   * What the application calls it: 1 to 512 bytes of UTF-8 without NUL, compared byte for byte. One memory of a scope has a key, until
   * it is forgotten; another one with it is refused (`MEMORY_EXISTS`). Fixed once the memory exists.
   */
  readonly key?: string | undefined;
  /** Default `fact`. */
  readonly category?: Category | undefined;
  /** 0 to 1. Default: correction 0.95, procedure 0.9, manual 0.7, else 0.5. A given 0 is kept as 0. */
  readonly importance?: number | undefined;
  /** 0 to 1. Default 1. */
  readonly confidence?: number | undefined;
  /** Default false. */
  readonly isStatic?: boolean | undefined;
  /** It stands in every context of its scope, whether the query finds it or not. At most 50 a scope. Default false. */
  readonly isPinned?: boolean | undefined;
  /** At most 32 tags of 1 to 64 bytes. Kept once each, in the order given. */
  readonly tags?: readonly string[] | undefined;
  readonly slot?: string | undefined;
  /** Default `manual`. */
  readonly origin?: Origin | undefined;
  readonly provenance?: Provenance | undefined;
  /** Default `trusted`. */
  readonly trust?: Trust | undefined;
  readonly metadata?: Metadata | undefined;
  /** Default now. */
  readonly createdAt?: Instant | undefined;
  readonly validFrom?: Instant | undefined;
  readonly validTo?: Instant | undefined;
  readonly expiresAt?: Instant | undefined;
  /**
   * What becomes of a text that an active memory of the scope says already, with the same key, category, slot, trust and time of
   * being true. `refresh` (default): that memory is returned in a new version: said now (`createdAt`, if that is later), with
   * the tags of both, the later `expiresAt`, and what is given here of importance, confidence, `isStatic`, metadata and
   * provenance. `add`: one more memory. Turns of conversations are always added. Texts are compared in composed form (NFC),
   * without white space at their ends.
   */
  readonly repeat?: "refresh" | "add" | undefined;
}

/** What an update may change. A field left out stays; `null` removes an optional one. */
export interface MemoryPatch {
  /**
   * Other words hold from now on: `validFrom` becomes the time of the change unless the patch names it, and `createdAt` stays. Pass the
   * memory's `validFrom`, or `null`, for words that only say better what was so before. It stays, too, of a memory that is over or
   * still to come, and of the turn of a conversation.
   */
  readonly text?: string | undefined;
  readonly category?: Category | undefined;
  readonly importance?: number | undefined;
  readonly confidence?: number | undefined;
  readonly isStatic?: boolean | undefined;
  readonly isPinned?: boolean | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly slot?: string | null | undefined;
  readonly provenance?: Provenance | null | undefined;
  readonly metadata?: Metadata | undefined;
  readonly validFrom?: Instant | null | undefined;
  readonly validTo?: Instant | null | undefined;
  readonly expiresAt?: Instant | null | undefined;
  readonly supersededBy?: MemoryId | null | undefined;
}

/** One turn of a conversation to be kept as a memory of its own. */
export interface ConversationTurn {
  /** Unique in the conversation; becomes part of what a retry is recognised by. */
  readonly id: string;
  readonly speaker: string;
  /** What the speaker is. Default: as the name tells, so that `assistant` and `tool` need not say it. */
  readonly role?: TurnRole | undefined;
  readonly content: string;
  readonly at: Instant;
}

/** What {@link MemoriesApi.rememberConversation} takes. */
export interface ConversationInput {
  /** Names the conversation: the provenance of its turns is `conversation:{session}`. Default: a name made from the turns. */
  readonly session?: string | undefined;
  readonly scope: ScopeInput;
  /** In the order they were said. */
  readonly turns: readonly ConversationTurn[];
}

/** What {@link MemoriesApi.list} takes. */
export interface ListMemoriesRequest {
  readonly scopes: readonly ScopeInput[];
  readonly categories?: readonly Category[] | undefined;
  /**
   * In which states. `quarantined` needs the role `approve`, too, as the list of reviews does. `deleted` gives tombstones: the last
   * version with its text, as `versions` does; those of memories that waited for approval when they were forgotten only to
   * whoever has that role. Default `["active"]`.
   */
  readonly states?: readonly MemoryState[] | undefined;
  /** Only what was true then. Default: all, closed ones too, whose `validTo` has passed. */
  readonly validAt?: Instant | undefined;
  /** The most there are, 1 to 1,000. Default 50. A page of large memories ends earlier, at 2 MiB. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
  /** As of when expired memories are left out, whatever their state. Default now. */
  readonly evaluationTime?: Instant | undefined;
}

export interface ListMemoriesResult {
  /** Newest creation first, then by id. Closed ones too, unless `validAt` was given. */
  readonly memories: readonly Memory[];
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
}

/** What {@link MemoriesApi.scopes} takes. */
export interface ListMemoryScopesRequest {
  /** Only scopes of this kind. Default: every kind. */
  readonly kind?: ScopeKind | undefined;
  /** The most there are, 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface ListMemoryScopesResult {
  /** In the order of their names, such as `user:alice`, by code points. */
  readonly scopes: readonly ScopeMemories[];
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
}

/** How much is remembered in a scope. */
export interface ScopeMemories {
  readonly scope: Scope;
  /** Active memories, at least 1. One that has expired counts until `maintenance.expire` has found it. */
  readonly memories: number;
}

/** In place of the precondition of an update: the memory is made when its scope has none with the key, whatever else there is is changed. */
export interface MissingAllowed {
  readonly allowMissing: true;
}

/** The precondition of an update or a removal. */
export interface EtagPrecondition {
  /** The etag that was read. If the memory has changed since: `VERSION_CONFLICT`. */
  readonly etag: Etag | string;
}

export const etagPreconditionFields: ReadonlySet<string> = fieldsOf<EtagPrecondition>({ etag: true });
