import type { Ref, Sequence, Version } from "@loci/domain";
import type { Family } from "./log-entry.ts";

/** An entry of the log that does not hold what was written. */
export interface DamagedEntry {
  readonly sequence: Sequence;
  readonly family: Family;
  readonly ref: Ref;
  readonly version: Version;
  /**
   * `text`: it can be read, and its text is not the one whose hash was written beside it. `content`: it cannot be read, or speaks of
   * another memory or version than its place in the log says.
   */
  readonly damage: "text" | "content";
}

/** What came of reading a stretch of the log. */
export interface CheckedEntries {
  /** The last sequence that was looked at: go on behind it. Absent at the end of the log. */
  readonly through?: Sequence | undefined;
  readonly checked: number;
  readonly damaged: readonly DamagedEntry[];
}
