import { entriesOf, largeVocabulary as large, type ModelEntry, smallVocabulary as small } from "./model-entry.ts";

/** Without prices: they are those of whoever runs the weights. */
const meta: readonly ModelEntry[] = entriesOf({
  provider: "meta",
  asOf: "2026-11",
  source: "Meta: Llama model cards",
  rows: [
    ["4K", small, 4096, 4096, undefined, "llama-2", "llama2"],
    ["8K", large, 8192, 8192, undefined, "llama-3", "llama3", "meta-llama-3"],
    ["128K", large, 131_072, undefined, undefined, "llama-3.1", "llama3.1", "meta-llama-3.1"],
    ["128K", large, 131_072, undefined, undefined, "llama-3.2", "llama3.2", "llama-3.3", "llama3.3"],
    ["128K", large, 1_048_576, undefined, undefined, "llama-4", "llama4"],
  ],
});

const mistral: readonly ModelEntry[] = entriesOf({
  provider: "mistral",
  asOf: "2026-09",
  source: "Mistral AI: Pricing",
  rows: [
    ["128K", small, 32_768, undefined, [0.25, undefined, 0.25], "mistral", "mistral-7b"],
    ["128K", small, 32_768, undefined, [0.7, undefined, 0.7], "mixtral-8x7b"],
    ["128K", small, 65_536, undefined, [2, undefined, 6], "mixtral-8x22b"],
    ["128K", small, 131_072, undefined, [0.5, undefined, 1.5], "mistral-large"],
    ["128K", small, 131_072, undefined, [1.36, 0.14, 4.18], "mistral-large-4"],
    ["128K", small, 131_072, undefined, [0.4, undefined, 2], "mistral-medium"],
    ["128K", small, 131_072, undefined, [0.2, undefined, 0.6], "mistral-small"],
    ["128K", large, 131_072, undefined, [0.15, undefined, 0.15], "mistral-nemo", "open-mistral-nemo"],
    ["128K", large, 131_072, undefined, [0.1, undefined, 0.1], "ministral"],
    ["128K", small, 131_072, undefined, [0.3, undefined, 0.9], "codestral"],
    ["128K", small, 131_072, undefined, [0.44, undefined, 2.2], "devstral"],
    ["128K", small, 131_072, undefined, [2, undefined, 6], "pixtral"],
    ["128K", small, 131_072, undefined, [2, undefined, 5], "magistral"],
  ],
});

/** Prices of the shortest input tier of the international region. */
const qwen: readonly ModelEntry[] = entriesOf({
  provider: "qwen",
  asOf: "2026-09",
  source: "Alibaba Cloud Model Studio: Models and pricing",
  rows: [
    ["128K", large, 32_768, 8192, undefined, "qwen2", "qwen2.5", "qwen3"],
    ["128K", large, 32_768, 8192, [1.6, undefined, 6.4], "qwen-max"],
    ["128K", large, 131_072, 8192, [0.4, undefined, 1.2], "qwen-plus"],
    ["128K", large, 131_072, 8192, [0.05, undefined, 0.2], "qwen-turbo"],
    ["128K", large, 131_072, 8192, [0.8, undefined, 2.4], "qwq"],
    ["128K", large, 262_144, 32_768, [1.2, undefined, 6], "qwen3-max"],
    ["128K", large, 262_144, 32_768, [0.5, undefined, 3], "qwen3.6-plus"],
    ["128K", large, 262_144, 32_768, [2.5, undefined, 7.5], "qwen3.7-max"],
  ],
});

const deepSeek: readonly ModelEntry[] = entriesOf({
  provider: "deepseek",
  asOf: "2026-10",
  source: "DeepSeek API documentation: Models & Pricing",
  rows: [
    ["128K", large, 131_072, 8192, [0.28, 0.028, 0.42], "deepseek-chat", "deepseek-v3", "deepseek-v3.1"],
    ["128K", large, 131_072, 8192, [0.28, 0.028, 0.42], "deepseek-v3.2"],
    ["128K", large, 131_072, 32_768, [0.28, 0.028, 0.42], "deepseek-reasoner", "deepseek-r1"],
    // At peak hours; at other hours half as much.
    ["128K", large, 131_072, 8192, [0.3, 0.006, 1.2], "deepseek-flash", "deepseek-v4-flash"],
    ["128K", large, 131_072, 8192, [1.32, 0.044, 3.96], "deepseek-v4-pro"],
  ],
});

export const openWeightModels: readonly ModelEntry[] = [...meta, ...mistral, ...qwen, ...deepSeek];
