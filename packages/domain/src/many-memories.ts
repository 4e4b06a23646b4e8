import type { MemoryId } from "./identifiers.ts";
import type { Memory } from "./memory.ts";

/** Which memories to read together. */
export interface GetMemoriesRequest {
  /** 1 to 500. Each is read once, however often it is named. */
  readonly ids: readonly MemoryId[];
  /** Most bytes of each text in UTF-8, 1 to 65,536: for lists that show how texts begin. Default: whole texts. */
  readonly textBytes?: number | undefined;
  /**
   * Also those that were forgotten, as tombstones with their last text; those of memories that waited for approval only with the
   * role `approve`. Default false: they are missing.
   */
  readonly withDeleted?: boolean | undefined;
}

/** Each id that was asked for is that of a memory, or is missing, or is unread. */
export interface GetMemoriesResult {
  /** In the order of the ids. */
  readonly memories: readonly Memory[];
  /** Of those the memories whose text is only its beginning. */
  readonly cut: readonly MemoryId[];
  /**
   * Where there is no memory that the caller may read: as with `get`, that also stands for one outside the credential's scopes,
   * for one that waits for approval without the role `approve`, and for one that was forgotten.
   */
  readonly missing: readonly MemoryId[];
  /** What the answer had no room for: it takes 2 MiB, or one memory. Ask for these again, or for less of each text. */
  readonly unread: readonly MemoryId[];
}
