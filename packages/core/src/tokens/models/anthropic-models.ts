import { type Counting, entriesOf, type ModelEntry } from "./model-entry.ts";

// The tokenizers are not public. Over `o200k_base` the one until 4.6 needs 1.12 to 1.29 times as many tokens, the one
// from 4.7 on about 1.3 times that, 1.35 to 1.66 in all.
const claude: Counting = { tokenizer: "o200k_base", safetyFactor: 1.35 };
const claudeSince47: Counting = { tokenizer: "o200k_base", safetyFactor: 1.75 };

/** Cached input is a cache read; writing to the cache costs 1.25 times the input price for five minutes. */
export const anthropicModels: readonly ModelEntry[] = entriesOf({
  provider: "anthropic",
  asOf: "2026-11",
  source: "Claude documentation: Models & pricing",
  rows: [
    ["8K", claude, 200_000, 4096, [3, undefined, 15], "claude-3-sonnet"],
    ["128K", claude, 200_000, 4096, [15, 1.5, 75], "claude-3-opus"],
    ["128K", claude, 200_000, 4096, [0.25, 0.03, 1.25], "claude-3-haiku"],
    ["128K", claude, 200_000, 8192, [3, 0.3, 15], "claude-3-5-sonnet"],
    ["128K", claude, 200_000, 8192, [0.8, 0.08, 4], "claude-3-5-haiku"],
    ["128K", claude, 200_000, 64_000, [3, 0.3, 15], "claude-3-7-sonnet", "claude-sonnet-4"],
    ["128K", claude, 200_000, 64_000, [1, 0.1, 5], "claude-haiku-4-5"],
    ["128K", claude, 200_000, 32_000, [15, 1.5, 75], "claude-opus-4", "claude-opus-4-1"],
    ["128K", claude, 200_000, 64_000, [5, 0.5, 25], "claude-opus-4-5"],
    ["128K", claude, 200_000, 128_000, [5, 0.5, 25], "claude-opus-4-6"],
    ["128K", claude, 200_000, 128_000, [3, 0.3, 15], "claude-sonnet-4-6"],
    ["128K", claudeSince47, 200_000, 128_000, [5, 0.5, 25], "claude-opus-4-7", "claude-opus-4-8"],
    ["128K", claudeSince47, 1_000_000, 128_000, [5, 0.5, 25], "claude-opus-5"],
    ["128K", claudeSince47, 1_000_000, 128_000, [4, 0.2, 20], "claude-opus-5-5"],
    ["128K", claudeSince47, 1_000_000, 128_000, [2, 0.2, 10], "claude-sonnet-5"],
    ["128K", claudeSince47, 1_000_000, 128_000, [0.1, 0.01, 0.5], "claude-haiku-5"],
    ["128K", claudeSince47, 1_000_000, 128_000, [10, 1, 50], "claude-fable-5"],
  ],
});
