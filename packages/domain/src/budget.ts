/** What a budget check looks at, all in tokens. */
export interface BudgetCheckRequest {
  /** Default 8,192. */
  readonly maxInputTokens?: number | undefined;
  /** Share of the maximum to keep free, 0 to 1. Default 0.1. */
  readonly safetyMarginRatio?: number | undefined;
  readonly systemTokens: number;
  readonly conversationTokens: number;
  /** Default 4,096. */
  readonly estimatedOutputTokens?: number | undefined;
  /** What to advise when it does not fit. Default `TRIM`. */
  readonly onExceed?: BudgetAction | undefined;
}

export type BudgetAction = "STOP" | "SUMMARIZE" | "TRIM";

export type BudgetCheck =
  | { readonly allowed: true; readonly remainingInputTokens: number; readonly utilization: number }
  | {
      readonly allowed: false;
      /** max(0, maximum − required). */
      readonly remainingInputTokens: number;
      /** required / maximum, rounded half up to three decimals, not capped. */
      readonly utilization: number;
      readonly action: BudgetAction;
      readonly code: "EXCEEDED" | "SAFETY_MARGIN";
      readonly message: string;
    };

/** How many tokens a text has. */
export interface TokenCount {
  readonly tokens: number;
  /** The counter that was used, such as `o200k_base`. */
  readonly tokenizer: string;
  readonly estimated: boolean;
}
