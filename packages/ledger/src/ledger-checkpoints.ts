import type { CallOptions, Ref, TenantId } from "@loci/domain";

/** What reading a resource from its beginning up to some place came to. */
export interface Checkpoint {
  /** How far it reaches, as the reader counts. Above 0. */
  readonly through: number;
  /** What came since the checkpoint before. Short: all of them are read at once. */
  readonly outline: string;
  /** What all of it came to. Only one is read. */
  readonly state: string;
}

/** Whose checkpoints: of one resource, made by one way of reading it. */
export interface CheckpointOwner {
  readonly ref: Ref;
  /** Names all that decides what reading comes to. Not empty. */
  readonly reading: string;
}

/**
 * What was read of long resources, outside the log, so that nobody has to read them from their beginning again. Losing it costs time,
 * never data. Goes with its resource, whether that is removed or purged.
 */
export interface CheckpointTable {
  /**
   * Adds checkpoints of a resource; where there is one already it stays. Does nothing for a resource that is not there, or is
   * no longer. With `replaces` those of its other ways of reading go first.
   */
  add(
    tenant: TenantId,
    owner: CheckpointOwner,
    checkpoints: readonly Checkpoint[],
    options?: { readonly replaces?: boolean },
  ): Promise<void>;
  /** All of them without their states, by how far they reach. */
  outlines(tenant: TenantId, owner: CheckpointOwner, call?: CallOptions): Promise<readonly Omit<Checkpoint, "state">[]>;
  /** The state of one; `undefined` when there is none. */
  state(tenant: TenantId, owner: CheckpointOwner, through: number, call?: CallOptions): Promise<string | undefined>;
}

/** Checkpoints of resources of any family. */
export interface LedgerCheckpoints {
  readonly checkpoints: CheckpointTable;
}
