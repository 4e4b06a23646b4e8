import type { WindowPresetName } from "../budget/window-presets.ts";
import type { TokenizerId } from "./tokenizer.ts";

/** What is known of a model, by the name a caller gave. */
export interface ResolvedModel {
  /** As given. Absent when none was. */
  readonly name?: string | undefined;
  /** False when a name was given that nothing is known of, which is worth a warning. True when none was given. */
  readonly known: boolean;
  readonly tokenizer: TokenizerId;
  /** 1 when the tokenizer is the model's own; else what its counts are multiplied by. */
  readonly safetyFactor: number;
  readonly preset: WindowPresetName;
  /** Input and output together, in tokens. */
  readonly contextWindowTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}
