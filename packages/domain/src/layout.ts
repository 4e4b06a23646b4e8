import type { RankProfile, WaterfallMode } from "./window.ts";

/** The layouts that ship. */
export const layoutNames = ["memoryBlocks", "layeredFiles", "threeTier"] as const;

export type LayoutName = (typeof layoutNames)[number];

/**
 * What a section is filled from; each at most once in a layout.
 *
 * - `system`, `project`, `task`, `coreMemory`: the text of that name in the request; with blocks or a session also what Loci
 *   keeps for it, see `AssembleRequest.blockOwners`
 * - `block:LABEL`: the block of that label; `turnState`: where the session's task stands
 * - `file:NAME`, `teamFile:NAME`: a text of `files`, of a folder as well (`file:workspace/TOOLS.md`), or all of a folder that
 *   have no section of their own, by name (`file:skills/*`); `days`: its daily logs, newest first
 * - `history`: the conversation
 * - `knowledge`: recalled memories; `teamMemories`: those of a team, a project or everyone; `personalMemories`: the others
 */
export type SectionSource =
  | "system"
  | "project"
  | "task"
  | "coreMemory"
  | `file:${string}`
  | `teamFile:${string}`
  | `block:${string}`
  | "turnState"
  | "days"
  | "history"
  | "knowledge"
  | "teamMemories"
  | "personalMemories";

/**
 * How a section is made smaller when it gets less than it needs.
 *
 * - `never`: it is not; too large is an error.
 * - `characters`, `sentences`: its text is cut there, with a mark at the end.
 * - `items`: its memories, best first; one that does not fit is passed over.
 * - `history`: the newest whole messages.
 */
export type ShorteningPolicy = "never" | "characters" | "sentences" | "items" | "history";

/** One section of a layout. Amounts in tokens. */
export interface SectionDefinition {
  /** Unique: the name of its XML tag and of its budget. `a-z`, `0-9`, `_` and `-`, beginning with a letter, at most 64. */
  readonly name: string;
  /** Its heading in Markdown. Default: the name in words, `team_goals` as `Team Goals`. */
  readonly title?: string | undefined;
  readonly source: SectionSource;
  readonly shortening: ShorteningPolicy;
  /** 1 is cut last; among equal ranks the later in the layout is cut first. Default: its place in the layout. */
  readonly rank?: number | Readonly<Record<RankProfile, number>> | undefined;
  /**
   * Base budget. Default: what the model's window has for this kind of section; 0 in a layout with `totalTokens`, so that what is never
   * cut needs one there. Does not count in mode `sequential`.
   */
  readonly base?: number | undefined;
  /** The most it may get. Counts only in mode `sequential`. */
  readonly max?: number | undefined;
  /** What earlier sections leave for it, as far as it needs that much. Counts only in mode `sequential`. */
  readonly floor?: number | undefined;
  /** For memories: the most of them. Default no limit. */
  readonly maxItems?: number | undefined;
  /** For memories: the most procedures to follow. Default no limit. */
  readonly maxProcedures?: number | undefined;
}

/** Which sections a context has, in the order they stand in it. Plain data: write one in TOML or JSON, or as an object. */
export interface LayoutDefinition {
  /** Shown in receipts. 1 to 64 characters. */
  readonly name: string;
  /** `xml`: `<name>`, content, `</name>`. `markdown`: `## Title`, content. Default `xml`. */
  readonly rendering?: "xml" | "markdown" | undefined;
  /** Default `fill`. A request may choose another. */
  readonly mode?: WaterfallMode | undefined;
  /** What all sections take together. Default: the sum of their bases. */
  readonly totalTokens?: number | undefined;
  /**
   * Counts with this instead of the model's tokenizer. When a model is named, the finished text must also be within the
   * budget by its tokenizer.
   */
  readonly tokenizer?: "approx" | "o200k_base" | "cl100k_base" | undefined;
  /**
   * `element`: `<memory source="…" confidence="…">`, without confidence where it is 1 and without either behind a memory
   * that has the same; memories then also stand at the end of `system` and `project`.
   * `list`: `- [category] text`, only in sections of memories. Default `element` for XML; Markdown has only `list`.
   */
  readonly memoryForm?: "element" | "list" | undefined;
  /** At least one for given text, where the notice on retrieved data stands. */
  readonly sections: readonly SectionDefinition[];
}

/** What was written down on one day. */
export interface DayLog {
  /** `yyyy-mm-dd` */
  readonly date: string;
  readonly text: string;
}

/** Texts of files a layout shows. `readLayeredFiles` reads them from a folder. */
export interface LayeredFiles {
  /** By name, such as `IDENTITY.md` or `skills/review.md`: sections with the source `file:IDENTITY.md`. Rendered verbatim. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** The same for the sections of a team: `teamFile:GOALS.md`. */
  readonly teamFiles?: Readonly<Record<string, string>> | undefined;
  /** Rendered newest first, escaped: they may quote anything. */
  readonly days?: readonly DayLog[] | undefined;
}
