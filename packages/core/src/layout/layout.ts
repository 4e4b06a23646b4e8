import type { RankProfile } from "@loci/domain";

/** What a section is filled from. Memories are routed to a source, not to a name. */
export type SectionSource = "system" | "project" | "task" | "history" | "knowledge";

/**
 * How a section is made smaller when it gets less than it needs.
 *
 * - `never`: it is not; too large is an error.
 * - `characters`, `sentences`: its text is cut there, with a mark at the end.
 * - `items`: its memories, best first; one that does not fit is passed over.
 * - `history`: the newest whole messages.
 */
export type ShorteningPolicy = "never" | "characters" | "sentences" | "items" | "history";

export interface LayoutSection {
  /** Unique in the layout. The name of its XML tag and of its budget in the window. */
  readonly name: string;
  readonly source: SectionSource;
  readonly shortening: ShorteningPolicy;
  /** 1 is cut last. Among equal ranks the later in the layout is cut first. */
  readonly ranks: Readonly<Record<RankProfile, number>>;
}

/** Which sections a context has, in the order they stand in it. Plain data: one assembler runs every layout. */
export interface Layout {
  readonly name: string;
  readonly sections: readonly LayoutSection[];
}
