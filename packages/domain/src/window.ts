/** How unused tokens flow from one section to the next. See `docs/decisions` and `@loci/core`. */
export type WaterfallMode = "fill" | "cascade" | "last" | "sequential";

/** `conversation` cuts knowledge before history; `rag` cuts history before knowledge. */
export type RankProfile = "conversation" | "rag";

/** A window of the published sizes: of 4,000, 8,192 and 29,000 tokens in all. */
export type WindowPresetName = "4K" | "8K" | "128K";

/**
 * Changes to the window's budgets, all in tokens.
 *
 * Without any, of a model that is known, nothing that the caller gives is cut while the model has room: the budgets of given
 * texts and of the conversation grow by what they need, and the window by as much. What recall adds stays within the budgets
 * there are. `preset`, `sections`, `scaleTo` and `fillWindow` fix the sizes.
 */
export interface WindowOverrides {
  /** Budgets of this size and no more, whatever the model takes. Default: those of the model, which grow. */
  readonly preset?: WindowPresetName | undefined;
  /** The most the whole window may take, response and buffer included. Default: what the model takes. */
  readonly maxTokens?: number | undefined;
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
  /** Scales every part to the model's whole window. Default false: what recall adds costs the same each time. */
  readonly fillWindow?: boolean | undefined;
}
