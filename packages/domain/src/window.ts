/** How unused tokens flow from one section to the next. See `docs/decisions` and `@loci/core`. */
export type WaterfallMode = "fill" | "cascade" | "last" | "sequential";

/** `conversation` cuts knowledge before history; `rag` cuts history before knowledge. */
export type RankProfile = "conversation" | "rag";

/** Changes to the window's budgets, all in tokens. */
export interface WindowOverrides {
  /** Base budget by section name; in a layout with a total of its own, the most the section may get. */
  readonly sections?: Readonly<Record<string, number>> | undefined;
  /** Reserved for the user's query. */
  readonly query?: number | undefined;
  /** Reserved for the answer. */
  readonly response?: number | undefined;
  /** Kept free for what tokenizers cannot know. */
  readonly safetyBuffer?: number | undefined;
  /** Scales every part so that the whole window is this large. */
  readonly scaleTo?: number | undefined;
  /** Scales every part to the model's whole window. Default false: a window of the preset's size costs the same each time. */
  readonly fillWindow?: boolean | undefined;
}
