import type { SectionMemory, Sections } from "../storage/section-file.ts";
import type { IndexRow } from "./index-row.ts";
import type { Pace } from "./pace.ts";

/** What a segment holds besides the things that all segments have. */
export interface Payload {
  sections(): Sections;
}

/** One of the segments that are merged. */
export interface MergePart<Kind> {
  readonly payload: Kind;
  /** The new row of every old one, in ascending order, or -1 when it is left out. */
  readonly rowMap: Int32Array;
}

export interface PayloadReader<Kind> {
  readonly memory: SectionMemory;
  readonly finish: (sections: Sections, path: string) => Kind;
}

/** Rows that are not in a segment yet, arranged for search. */
export interface HeadIndex<Content> {
  add(row: IndexRow<Content>): void;
  remove(row: IndexRow<Content>): void;
}

/** All that differs between the indexes that share segments, manifest and log. */
export interface IndexKind<Content, Kind extends Payload, Head extends HeadIndex<Content>> {
  readonly newHead: () => Head;
  /** How many ordinary rows a row is as much work as, when it is brought again. */
  readonly weight: (content: Content) => number;
  /** Makes the payload of rows in their order. */
  readonly make: (rows: readonly IndexRow<Content>[]) => Kind;
  readonly merge: (parts: readonly MergePart<Kind>[], rows: number, pace: Pace) => Promise<Kind>;
  readonly reader: () => PayloadReader<Kind>;
  /** Called when a segment's row dies, so that running sums can be kept. */
  readonly rowDied?: ((payload: Kind, row: number) => void) | undefined;
}
