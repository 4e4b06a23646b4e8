import type { ThreadTurns } from "../calls/thread-turns.ts";
import type { ModelSummarizer } from "../summaries/model-summarizer.ts";
import type { ModelUsage } from "../usage/model-usage.ts";
import type { TokenCounters } from "./token-counters.ts";

/** What it takes to count tokens and to keep model calls within their budgets. */
export interface BudgetServices {
  readonly tokens: TokenCounters;
  readonly modelUsage: ModelUsage;
  /** Long conversations are counted in turns with others. */
  readonly thread: ThreadTurns;
  /** Absent without a language model. */
  readonly summarizer: ModelSummarizer | undefined;
}
