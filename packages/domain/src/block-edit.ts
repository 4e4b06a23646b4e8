import type { ArchivedEntry } from "./block.ts";
import type { BlockValue, BlockValues } from "./block-schema.ts";
import type { Version } from "./identifiers.ts";
import type { Instant } from "./instant.ts";

/** One change of one field. Its place in an edit is its hunk. */
export type BlockOperation =
  /** The field gets the value; an empty one empties it. */
  | { readonly op: "set"; readonly field: string; readonly value: BlockValue }
  /** Lists: a further entry, unless it is there. Texts: further lines. */
  | { readonly op: "append"; readonly field: string; readonly value: string }
  /** Lists: the entry goes. */
  | { readonly op: "remove"; readonly field: string; readonly value: string }
  /** Lists: the entry `old` becomes `value`. Strings and texts: the only place where `old` stands does. */
  | { readonly op: "replace"; readonly field: string; readonly old: string; readonly value: string };

/** Most operations of one edit. */
export const maxBlockOperations: number = 64;

/** Most edits of one block that may wait at once. */
export const maxPendingEdits: number = 100;

/** Most bytes of the operations of one edit, as JSON. */
export const maxEditBytes: number = 131_072;

/** Where an edit stands. Whatever is not `pending` stays what it is. */
export const blockEditStates = ["pending", "approved", "rejected", "superseded", "expired", "withdrawn"] as const;

export type BlockEditState = (typeof blockEditStates)[number];

/** How long a pending edit waits for a decision, in milliseconds: 14 days. */
export const blockEditLifetime: number = 1_209_600_000;

/** A proposed change of a block. */
export interface BlockEdit {
  readonly id: string;
  /** The version it was made for, or moved on to after others that it has nothing to do with. */
  readonly baseVersion: Version;
  readonly operations: readonly BlockOperation[];
  readonly state: BlockEditState;
  /** True for a pending edit that collides with what came after its base. */
  readonly stale: boolean;
  readonly proposedAt: Instant;
  readonly proposer: string;
  readonly reason?: string | undefined;
  readonly decidedAt?: Instant | undefined;
  /** Who approved, rejected or withdrew it. */
  readonly decider?: string | undefined;
  /** The operations that were approved, as positions. */
  readonly approvedHunks?: readonly number[] | undefined;
}

/** An edit with the block that it is of. */
export interface ProposedBlockEdit extends BlockEdit {
  /** Such as `user:alice`. */
  readonly owner: string;
  readonly label: string;
}

/** What an edit would make of its block as it stands now. `approve` takes back its first two fields. */
export interface BlockEditPreview {
  readonly baseVersion: Version;
  /** SHA-256 of the block's TOML as it would be, in hexadecimal digits. */
  readonly contentHash: string;
  readonly values: BlockValues;
  readonly archived: readonly ArchivedEntry[];
  readonly diff: readonly BlockFieldChange[];
  readonly stale: boolean;
}

/** One field that two versions of a block differ in. */
export interface BlockFieldChange {
  readonly field: string;
  readonly before?: BlockValue | undefined;
  readonly after?: BlockValue | undefined;
}
