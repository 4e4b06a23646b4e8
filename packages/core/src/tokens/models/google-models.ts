import { type Counting, entriesOf, type ModelEntry } from "./model-entry.ts";

// Up to 1.26 times the tokens of `o200k_base`; each digit is a token.
const gemini: Counting = { tokenizer: "o200k_base", safetyFactor: 1.35 };

/** Prices are those of the paid tier for prompts of up to 200,000 tokens; longer ones cost up to twice as much. */
export const googleModels: readonly ModelEntry[] = entriesOf({
  provider: "google",
  asOf: "2026-11",
  source: "Gemini API documentation: Gemini Developer API pricing",
  rows: [
    ["128K", gemini, 2_097_152, 8192, [1.25, 0.3125, 5], "gemini-1.5-pro"],
    ["128K", gemini, 1_048_576, 8192, [0.075, 0.018_75, 0.3], "gemini-1.5-flash"],
    ["128K", gemini, 1_048_576, 8192, [0.1, 0.025, 0.4], "gemini-2.0-flash"],
    ["128K", gemini, 1_048_576, 65_536, [1.25, 0.125, 10], "gemini-2.5-pro"],
    ["128K", gemini, 1_048_576, 65_536, [0.3, 0.03, 2.5], "gemini-2.5-flash"],
    ["128K", gemini, 1_048_576, 65_536, [0.1, 0.01, 0.4], "gemini-2.5-flash-lite"],
    ["128K", gemini, 1_048_576, 65_536, [2, 0.2, 12], "gemini-3-pro"],
    ["128K", gemini, 1_048_576, 65_536, [2, 0.2, 12], "gemini-3.1-pro"],
    ["128K", gemini, 1_048_576, 65_536, [0.5, 0.05, 3], "gemini-3-flash"],
    ["128K", gemini, 1_048_576, 65_536, undefined, "gemini-3.5-flash", "gemini-3.7-flash", "gemini-3.8-flash"],
    // From December 2026 on twice as much.
    ["128K", gemini, 1_048_576, 65_536, [2, 0.1, 10], "gemini-4-argon"],
    ["128K", gemini, 131_072, 8192, undefined, "gemma-3", "gemma3"],
  ],
});
