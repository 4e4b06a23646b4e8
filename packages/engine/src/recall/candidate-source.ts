import type { RecallCandidate } from "@loci/core";
import type { Filter, Ref } from "@loci/domain";
import type { MemoryPlace, StoredMemory } from "@loci/ledger";
import type { FoundRow, FoundRows } from "./found-rows.ts";
import type { SlotPlace } from "./slot-places.ts";

/** A place in a source that memories cite, whichever of them are known. */
export type SourcePlace = Omit<MemoryPlace, "besides">;

/** Reads what stands beside memories that were found; it may have been read along with them. */
export type BesideFound = Pick<CandidateSource, "atPositions" | "valuesAtSlots">;

/** What a recall chooses from: the memories as they are now, or as they were known at a time. */
export interface CandidateSource {
  /** The best so many of each sub-query, by meaning and by words, that the filter selects. */
  search(where: Filter, limit: number): Promise<FoundRows>;
  /** What stands behind rows that were found. */
  memories(refs: readonly Ref[]): Promise<ReadonlyMap<Ref, StoredMemory>>;
  /** The tags that procedures have, in lower case, each once. */
  procedureTags(): Promise<readonly string[]>;
  /** The procedures with a tag, newest first, a page at a time. */
  procedures(tag: string): AsyncIterable<readonly StoredMemory[]>;
  /** Active memories of the scopes at these places, in no particular order. */
  atPositions(places: readonly MemoryPlace[]): Promise<readonly StoredMemory[]>;
  /** Active memories that have one of the slots in its scope, in no particular order: of each the last few that were stored. */
  valuesAtSlots(places: readonly SlotPlace[]): Promise<readonly StoredMemory[]>;
  /** Values of the slots in the scopes, of each in each scope the last few that were stored. */
  slotValues(slots: readonly string[]): Promise<readonly StoredMemory[]>;
  /**
   * Adds what scores are made of. Candidates may be left unread. Once a recall.
   *
   * @param rows what the search has said of them, in their order
   */
  complete(
    resolved: readonly StoredMemory[],
    rows: readonly (FoundRow | undefined)[],
  ): Promise<readonly RecallCandidate[]>;
  /** Reads the vectors of those among the candidates that are asked for and unread. @param candidates in the order of `complete` */
  read(candidates: readonly RecallCandidate[], wanted: ReadonlySet<Ref>): Promise<readonly RecallCandidate[]>;
}
