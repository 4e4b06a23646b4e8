import type { WindowPresetName } from "../budget/window-presets.ts";
import type { TokenizerId } from "./tokenizer.ts";

/** Who publishes a model. `other` for what users add. */
export type ModelProvider = "openai" | "anthropic" | "google" | "meta" | "mistral" | "qwen" | "deepseek" | "other";

/** US dollars a million tokens. */
export interface ModelPrices {
  readonly input: number;
  /** Of input that the provider had in its cache. */
  readonly cachedInput: number;
  readonly output: number;
  /** When they were looked up: `2026-11`. */
  readonly asOf: string;
  /** Where: the title of the provider's page. */
  readonly source: string;
  /** True when they are not confirmed, or depend on what is not known here, such as the hour. */
  readonly approximate: boolean;
}

/** What is known of a model, by the name a caller gave. */
export interface ResolvedModel {
  /** As given. Absent when none was. */
  readonly name?: string | undefined;
  /** False when a name was given that nothing is known of, which is worth a warning. True when none was given. */
  readonly known: boolean;
  /** The known model whose name is most like that of an unknown one. Absent when none is. */
  readonly meant?: string | undefined;
  readonly provider: ModelProvider;
  readonly tokenizer: TokenizerId;
  /** Path of the model's own `tokenizer.json`, which is then used in place of `tokenizer`. */
  readonly tokenizerFile?: string | undefined;
  /** 1 when the tokenizer is the model's own; else what its counts are multiplied by. */
  readonly safetyFactor: number;
  readonly preset: WindowPresetName;
  /** Input and output together, in tokens. */
  readonly contextWindowTokens?: number | undefined;
  /** The most input it takes, where that is less than its window. */
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Absent when not known. */
  readonly prices?: ModelPrices | undefined;
}
