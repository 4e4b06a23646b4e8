import type { MemoryId } from "./identifiers.ts";
import type { Memory } from "./memory.ts";
import type { ScopeInput } from "./scope.ts";

/** Which changes to tell of, and from where on. */
export interface WatchMemoriesRequest {
  /** `*`: every scope that the credential covers, those too that are first used later. */
  readonly scopes: readonly ScopeInput[] | "*";
  /**
   * `now`: what is changed from the first look on. `beginning`: everything there is, then what is changed. Else the `cursor` of
   * the last change that was dealt with. Default `now`.
   */
  readonly since?: string | undefined;
}

/**
 * What happened to a memory, or how far the watch has come. Each is told at least once and in the order of the log; of several
 * changes of one memory that are read together only what came of them is told.
 */
export type MemoryChange = WrittenMemory | RemovedMemory | WatchReached;

/** Where a watch can go on from. */
interface ChangePlace {
  /** Opaque; good for this ledger, and for any scopes. */
  readonly cursor: string;
}

/** The memory came to be or was changed, and is active. */
export interface WrittenMemory extends ChangePlace {
  readonly type: "written";
  /** As it is when it is read, which may be a version later than the one that was written. */
  readonly memory: Memory;
}

/**
 * The memory is active no more: forgotten, expired, or held back. Of one that never was active, as it waits for approval or was
 * rejected, nothing is told. Of one that was erased nothing says which scope it was in: that is
 * told to those only who watch `*` with a credential that covers every scope.
 */
export interface RemovedMemory extends ChangePlace {
  readonly type: "removed";
  readonly id: MemoryId;
}

/** Everything up to here was told. Comes whenever there is nothing more to tell for now, and then at least every 30 s. */
export interface WatchReached extends ChangePlace {
  readonly type: "reached";
}

/** Asks for all a tenant has. */
export interface ExportMemoriesRequest {
  /** `id` of the last memory that was dealt with. Default: from the beginning. */
  readonly after?: string | undefined;
}

/** A memory as its ledger holds it. */
export interface ExportedMemory {
  readonly id: MemoryId;
  /** A JSON object without a line break. `maintenance.importMemories` takes it. */
  readonly line: string;
}
