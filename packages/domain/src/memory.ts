import { LociError } from "./error.ts";
import { type Etag, etagOf, type MemoryId, type Version } from "./identifiers.ts";
import type { Instant } from "./instant.ts";
import type { MemoryWarning } from "./memory-warning.ts";
import type { Scope } from "./scope.ts";

/** The categories Loci treats by name. Any other lower-case word is a custom category. */
export const knownCategories = ["fact", "decision", "preference", "entity", "procedure", "note", "learning"] as const;

export type KnownCategory = (typeof knownCategories)[number];

/** A known category or a custom one: 1 to 64 characters of `a-z`, `0-9`, `_` and `-`, beginning with a letter. */
export type Category = KnownCategory | (string & {});

/** Where a memory came from. */
export const origins = ["manual", "capture", "correction", "post_mortem", "import"] as const;

export type Origin = (typeof origins)[number];

/** Whether the words are the caller's own (`trusted`) or came from a tool, the web or a summary of such text. */
export type Trust = "trusted" | "untrusted";

/** `quarantined` waits for approval and is never recalled; `deleted` is a tombstone. */
export const memoryStates = ["active", "quarantined", "deleted"] as const;

export type MemoryState = (typeof memoryStates)[number];

/** The kinds of source a memory can cite. */
export const provenanceKinds = ["adr", "commit", "conversation", "incident", "document"] as const;

export type ProvenanceKind = (typeof provenanceKinds)[number];

/** Who may say a turn of a conversation: somebody, an assistant that answers them, or a tool that reports a result. */
export const turnRoles = ["person", "assistant", "tool"] as const;

export type TurnRole = (typeof turnRoles)[number];

/** What a memory cites. */
export interface Provenance {
  /** The source's own name, such as `ADR-007` or `conversation:2026-03-01`. Shown to the model. 1 to 200 bytes. */
  readonly sourceId: string;
  readonly kind: ProvenanceKind;
  /** How far the source is trusted to say this, 0 to 1. */
  readonly confidence?: number | undefined;
  /** The place inside the source, from 0: for a conversation the turn. Neighbouring positions are neighbouring turns. */
  readonly position?: number | undefined;
  /** Who said it, for the turn of a conversation. 1 to 200 bytes. */
  readonly speaker?: string | undefined;
  /** What that speaker is. Absent: the name tells, see `roleOfSpeaker`. */
  readonly role?: TurnRole | undefined;
  readonly createdAt?: Instant | undefined;
  /** The score with which an upstream retriever found it. */
  readonly retrievalScore?: number | undefined;
}

export type MetadataValue = string | number | boolean;

/** Typed fields of the caller's own, at most 40 KiB as JSON. Names: a letter, then letters, digits, `_`, 64 at most. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** One version of a memory, as the ledger holds it. */
export interface MemoryRecord {
  readonly id: MemoryId;
  /** At most 64 KiB of UTF-8. */
  readonly text: string;
  readonly category: Category;
  readonly scope: Scope;
  /** What the application calls it, unlike any other memory of the scope. Fixed once the memory exists. */
  readonly key?: string | undefined;
  /** 0 to 1. */
  readonly importance: number;
  /** 0 to 1: how sure it is that this is true. */
  readonly confidence: number;
  /** A static memory never fades with time. */
  readonly isStatic: boolean;
  /** It stands in every context of its scope, whether the query finds it or not. Absent: it does not. */
  readonly isPinned?: boolean | undefined;
  readonly tags: readonly string[];
  /** Names what the memory is the value of, such as `theme` or `deploy day`. Memories of one slot contradict each other. */
  readonly slot?: string | undefined;
  /** What the slot is set to, in a few words, as capture found it. At most 200 bytes. Gone when text or slot are changed. */
  readonly slotValue?: string | undefined;
  readonly origin: Origin;
  readonly provenance?: Provenance | undefined;
  readonly trust: Trust;
  readonly metadata: Metadata;
  /** When the thing was said, in the caller's time. */
  readonly createdAt: Instant;
  /** When this version was made, in the caller's time. */
  readonly updatedAt: Instant;
  /** When it began and ceased to be true. `validTo` is exclusive. */
  readonly validFrom?: Instant | undefined;
  readonly validTo?: Instant | undefined;
  /** From then on it is neither recalled nor listed. */
  readonly expiresAt?: Instant | undefined;
  readonly version: Version;
  /** The memory that took this one's place. */
  readonly supersededBy?: MemoryId | undefined;
  readonly state: MemoryState;
  /**
   * The subject of whoever approved what it says. Gone when text, category or tags are changed: the other words can be approved
   * by `captures.reviews.decide`.
   */
  readonly approvedBy?: string | undefined;
  readonly approvedAt?: Instant | undefined;
}

/** How often a memory was used. Kept beside the versions: using a memory does not change it. */
export interface MemoryUsage {
  readonly accessCount: number;
  readonly lastAccessedAt?: Instant | undefined;
}

/** `pending`: committed without a vector, found by its text alone until a vector is recorded. */
export type EmbeddingState = "ready" | "pending";

/** A memory as callers see it. */
export interface Memory extends MemoryRecord {
  readonly etag: Etag;
  /** When the ledger recorded this version, by the ledger's clock. Never decreases along the change log. */
  readonly recordedAt: Instant;
  readonly usage: MemoryUsage;
  readonly embedding: EmbeddingState;
  /**
   * Only in the answer of `remember`, `rememberMany` and `update`, and only when there are some: nothing of them is kept, and a
   * memory that is read has none.
   */
  readonly warnings?: readonly MemoryWarning[] | undefined;
}

/** A version with what is kept beside it, as callers see it. @param isEmbedded whether its vector is recorded */
export function memoryView(
  { memory, recordedAt, usage }: Pick<Memory, "recordedAt" | "usage"> & { readonly memory: MemoryRecord },
  isEmbedded: boolean,
): Memory {
  const etag = etagOf(memory.id, memory.version);
  return { ...memory, etag, recordedAt, usage, embedding: isEmbedded ? "ready" : "pending" };
}

/** The most memories of one scope that may be pinned. */
export const maxPinnedPerScope = 50;

/** The largest memory text, in bytes of UTF-8. */
export const maxTextBytes: number = 64 * 1024;

/** The largest metadata, in bytes of its JSON. */
export const maxMetadataBytes: number = 40 * 1024;

/** The most names of metadata: no more fit into {@link maxMetadataBytes}, the shortest as `"a":1,`. */
export const maxMetadataNames: number = Math.floor(maxMetadataBytes / 6);

/**
 * Refuses very many names before any of them is looked at: 200,000 take a second.
 *
 * @throws LociError `METADATA_TOO_LARGE`
 */
export function checkMetadataNames(count: number, field: string): void {
  if (count <= maxMetadataNames) return;
  throw new LociError("METADATA_TOO_LARGE", {
    message: `${field} has ${count} names, and more than ${maxMetadataNames} do not fit into the ${maxMetadataBytes} bytes that are allowed.`,
    field,
    advice: "Keep large values elsewhere and a reference to them here.",
  });
}
