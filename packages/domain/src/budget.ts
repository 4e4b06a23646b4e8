import type { ChatMessage } from "./message.ts";

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
  /** The model's own tokenizer is not public, or nothing is known of a model of this name. */
  readonly estimated: boolean;
}

/** A tool as a model is told of it, in the OpenAI form. */
export interface ToolDefinition {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    /** A JSON schema. */
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  };
}

export interface TrimRequest {
  /** Oldest first, in the OpenAI form. */
  readonly messages: readonly ChatMessage[];
  /** Of all messages together, with their framing and the tools. */
  readonly maxTokens: number;
  /** Chooses tokenizer and framing. Default: counted with `o200k_base`, framed as OpenAI does. */
  readonly model?: string | undefined;
  /** Count too, and are never trimmed. */
  readonly tools?: readonly ToolDefinition[] | undefined;
}

export interface TrimmedMessages {
  /** In their order. */
  readonly messages: readonly ChatMessage[];
  readonly tokens: number;
  /** Which messages of the request are gone, by position. */
  readonly dropped: readonly number[];
}

/** Writes a summary of the messages in at most so many tokens. Its text is treated as untrusted. */
export type SummarizeMessages = (
  messages: readonly ChatMessage[],
  maxTokens: number,
  signal: AbortSignal,
) => Promise<string>;

export interface EnforceBudgetRequest
  extends Omit<BudgetCheckRequest, "systemTokens" | "conversationTokens">, Omit<TrimRequest, "maxTokens"> {
  /** Whose caps apply besides the tenant's. */
  readonly session?: string | undefined;
  /**
   * Writes the summary when `onExceed` is `SUMMARIZE`. Default, and where it fails or writes too much: the built-in one, made
   * as that of an assembly. A function, so it works in process only.
   */
  readonly summarize?: SummarizeMessages | undefined;
}

export interface EnforcedBudget extends TrimmedMessages {
  /** Of the messages as they are returned. */
  readonly check: BudgetCheck & { readonly allowed: true };
  /** True when one of the messages is a summary of those dropped. */
  readonly summarized: boolean;
}

/** What one model call used. */
export interface ModelTokens {
  /** All of the input, what came from the provider's cache included. */
  readonly inputTokens: number;
  /** The part of the input that came from the provider's cache. Default 0. */
  readonly cachedInputTokens?: number | undefined;
  readonly outputTokens: number;
}

export interface RecordUsageRequest extends ModelTokens {
  readonly model: string;
  readonly session?: string | undefined;
}

/** What model calls used, added up. */
export interface UsageTotals {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars, rounded half up to four decimals. Without the calls of models whose prices are not known. */
  readonly cost: number;
  /** The parts of it that input and output make, each rounded like it. */
  readonly inputCost: number;
  readonly outputCost: number;
  readonly unpricedCalls: number;
  /** True when one of the prices is not confirmed. */
  readonly approximate: boolean;
}

/** The most that may be used. What is left out is not limited. */
export interface UsageCap {
  /** Input and output together. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
}
