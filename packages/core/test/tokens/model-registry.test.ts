import { describe, expect, test } from "vitest";
import { loadModelCounter, resolveModel, windowPresets } from "../../src/index.ts";
import { models } from "../../src/tokens/models.ts";

describe("resolveModel", () => {
  test("without a name: the 8K window, nothing to warn of", () => {
    expect(resolveModel(undefined)).toEqual({ known: true, tokenizer: "o200k_base", safetyFactor: 1, preset: "8K" });
  });

  test.each(["gpt-99", "", "gpt-45", "gpt-4.9", "o12", "my-gpt-4"])("does not know %j", (name) => {
    expect(resolveModel(name)).toEqual({ name, known: false, tokenizer: "o200k_base", safetyFactor: 1, preset: "8K" });
  });

  test.each([
    ["gpt-4", "8K", "cl100k_base", 8192, 8192],
    ["gpt-4-0613", "8K", "cl100k_base", 8192, 8192],
    ["gpt-4-turbo-2024-04-09", "128K", "cl100k_base", 128_000, 4096],
    ["gpt-4-0125-preview", "128K", "cl100k_base", 128_000, 4096],
    ["gpt-3.5-turbo-0125", "4K", "cl100k_base", 16_385, 4096],
    ["gpt-4o-2024-11-20", "128K", "o200k_base", 128_000, 16_384],
    ["ft:gpt-4o-mini:acme::1", "128K", "o200k_base", 128_000, 16_384],
    ["openai/gpt-4.1-mini", "128K", "o200k_base", 1_047_576, 32_768],
    ["gpt-5-nano-2025-08-07", "128K", "o200k_base", 400_000, 128_000],
    ["o3-mini", "128K", "o200k_base", 200_000, 100_000],
  ])("%s has its own tokenizer", (name, preset, tokenizer, contextWindowTokens, maxOutputTokens) => {
    expect(resolveModel(name)).toEqual({
      name,
      known: true,
      preset,
      tokenizer,
      safetyFactor: 1,
      contextWindowTokens,
      maxOutputTokens,
    });
  });

  test.each([
    ["claude-3-sonnet-20240229", "8K", 200_000, 1.35],
    ["claude-3-opus", "128K", 200_000, 1.35],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "128K", 200_000, 1.35],
    ["claude-opus-4-20250514", "128K", 200_000, 1.35],
    ["claude-opus-4-7", "128K", 200_000, 1.75],
    ["claude-opus-5-5", "128K", 1_000_000, 1.75],
    ["models/gemini-2.5-pro", "128K", 1_048_576, 1.35],
    ["meta-llama/Llama-3.3-70B-Instruct", "128K", 131_072, 1.25],
    ["llama3.1:8b", "128K", 131_072, 1.25],
    ["meta-llama/Meta-Llama-3-8B-Instruct", "8K", 8192, 1.25],
    ["mistral-large-latest", "128K", 131_072, 1.5],
    ["Qwen/Qwen2.5-72B-Instruct", "128K", 32_768, 1.25],
    ["deepseek-chat", "128K", 131_072, 1.25],
  ])("%s is estimated", (name, preset, contextWindowTokens, safetyFactor) => {
    expect(resolveModel(name)).toMatchObject({
      name,
      known: true,
      preset,
      contextWindowTokens,
      safetyFactor,
      tokenizer: "o200k_base",
    });
  });

  test("every entry is found under its own name, and its preset fits its window", () => {
    for (const { name, model } of models) {
      expect(resolveModel(name)).toEqual({ name, known: true, ...model });
      const { sections, query, response, safetyBuffer } = windowPresets[model.preset];
      const sum = Object.values(sections).reduce((left, right) => left + right, query + response + safetyBuffer);
      expect(sum).toBeLessThanOrEqual(model.contextWindowTokens ?? 0);
    }
    expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
  });
});

describe("loadModelCounter", () => {
  test("counts with the model's own tokenizer", async () => {
    expect((await loadModelCounter(resolveModel("gpt-4"))).id).toBe("cl100k_base");
    expect((await loadModelCounter(resolveModel(undefined))).id).toBe("o200k_base");
  });

  test("estimates for the others", async () => {
    const counter = await loadModelCounter(resolveModel("claude-sonnet-4-5"));
    expect(counter).toMatchObject({ id: "o200k_base*1.35", estimated: true });
    expect(counter.count("Hello, world!")).toBe(6);
  });
});
