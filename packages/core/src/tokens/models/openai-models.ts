import { cl100k, entriesOf, type ModelEntry, o200k } from "./model-entry.ts";

/** Prices are those of the standard tier up to 272,000 tokens of input; longer input costs twice as much from GPT-5.4 on. */
const entries: readonly ModelEntry[] = entriesOf({
  provider: "openai",
  asOf: "2026-11",
  source: "OpenAI API documentation: Pricing",
  rows: [
    ["4K", cl100k, 4096, 4096, [1.5, undefined, 2], "gpt-3.5-turbo-instruct"],
    ["4K", cl100k, 16_385, 4096, [0.5, undefined, 1.5], "gpt-3.5", "gpt-3.5-turbo", "gpt-35-turbo"],
    ["8K", cl100k, 8192, 8192, [30, undefined, 60], "gpt-4"],
    ["128K", cl100k, 32_768, 8192, [60, undefined, 120], "gpt-4-32k"],
    ["128K", cl100k, 128_000, 4096, [10, undefined, 30], "gpt-4-turbo", "gpt-4-1106", "gpt-4-0125", "gpt-4-vision"],
    ["128K", o200k, 128_000, 4096, [5, undefined, 15], "gpt-4o-2024-05-13"],
    ["128K", o200k, 128_000, 16_384, [2.5, 1.25, 10], "gpt-4o"],
    ["128K", o200k, 128_000, 16_384, [0.15, 0.075, 0.6], "gpt-4o-mini"],
    ["128K", o200k, 128_000, 16_384, [5, undefined, 15], "chatgpt-4o"],
    ["128K", o200k, 128_000, 16_384, [75, 37.5, 150], "gpt-4.5"],
    ["128K", o200k, 1_047_576, 32_768, [2, 0.5, 8], "gpt-4.1"],
    ["128K", o200k, 1_047_576, 32_768, [0.4, 0.1, 1.6], "gpt-4.1-mini"],
    ["128K", o200k, 1_047_576, 32_768, [0.1, 0.025, 0.4], "gpt-4.1-nano"],
    ["128K", o200k, 400_000, 128_000, [1.25, 0.125, 10], "gpt-5", "gpt-5.1"],
    ["128K", o200k, 400_000, 128_000, [0.25, 0.025, 2], "gpt-5-mini"],
    ["128K", o200k, 400_000, 128_000, [0.05, 0.005, 0.4], "gpt-5-nano"],
    ["128K", o200k, 400_000, 272_000, [15, undefined, 120], "gpt-5-pro"],
    ["128K", o200k, 128_000, 16_384, [1.25, 0.125, 10], "gpt-5-chat", "gpt-5.1-chat"],
    ["128K", o200k, 400_000, 128_000, [1.75, 0.175, 14], "gpt-5.2", "gpt-5.3"],
    ["128K", o200k, 128_000, 16_384, [1.75, 0.175, 14], "gpt-5.2-chat", "gpt-5.3-chat"],
    ["128K", o200k, 1_050_000, 128_000, [2.5, 0.25, 15], "gpt-5.4"],
    ["128K", o200k, 400_000, 128_000, [0.75, 0.075, 4.5], "gpt-5.4-mini"],
    ["128K", o200k, 400_000, 128_000, [0.2, 0.02, 1.25], "gpt-5.4-nano"],
    ["128K", o200k, 1_050_000, 128_000, [5, 0.5, 30], "gpt-5.5"],
    ["128K", o200k, 1_050_000, 128_000, [4, 0.4, 20], "gpt-5.6"],
    ["128K", o200k, 1_050_000, 128_000, [2, 0.2, 12], "gpt-5.6-terra"],
    ["128K", o200k, 1_050_000, 128_000, [0.2, 0.02, 1.2], "gpt-5.6-luna"],
    ["128K", o200k, 1_050_000, 128_000, [2, 0.2, 10], "gpt-6-sol"],
    ["128K", o200k, 1_050_000, 128_000, [0.1, 0.01, 0.5], "gpt-6-luna"],
    ["128K", o200k, 1_050_000, 128_000, [2, 0.1, 10], "gpt-6.1-sol"],
    ["128K", o200k, 1_050_000, 128_000, undefined, "gpt-6", "gpt-6.1"],
    // Open weights: the price is that of whoever runs them.
    ["128K", o200k, 131_072, 131_072, undefined, "gpt-oss"],
    ["128K", o200k, 200_000, 100_000, [15, 7.5, 60], "o1"],
    ["128K", o200k, 128_000, 65_536, [1.1, 0.55, 4.4], "o1-mini"],
    ["128K", o200k, 128_000, 32_768, [15, 7.5, 60], "o1-preview"],
    ["128K", o200k, 200_000, 100_000, [2, 0.5, 8], "o3"],
    ["128K", o200k, 200_000, 100_000, [1.1, 0.55, 4.4], "o3-mini"],
    ["128K", o200k, 200_000, 100_000, [1.1, 0.275, 4.4], "o4-mini"],
  ],
});

/** Of GPT-5 and later, but for the chat models, the output has a part of the window to itself, which input may not take. */
const splitWindow = /^gpt-[56](?!.*-chat)/;

export const openAiModels: readonly ModelEntry[] = entries.map((entry) =>
  splitWindow.test(entry.name) ? { ...entry, model: withOwnOutput(entry.model) } : entry,
);

function withOwnOutput(model: ModelEntry["model"]): ModelEntry["model"] {
  const { contextWindowTokens, maxOutputTokens } = model;
  if (contextWindowTokens === undefined || maxOutputTokens === undefined) return model;
  return { ...model, maxInputTokens: contextWindowTokens - maxOutputTokens };
}
