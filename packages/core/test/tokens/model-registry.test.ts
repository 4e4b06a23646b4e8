import { describe, expect, test } from "vitest";
import {
  approxTokenCounter,
  defaultModelRegistry,
  loadModelCounter,
  type ModelAddition,
  modelRegistry,
  resolveModel,
  windowPresets,
} from "../../src/index.ts";
import { models } from "../../src/tokens/models/models.ts";

describe("resolveModel", () => {
  test("without a name: the 8K window, nothing to warn of", () => {
    expect(resolveModel(undefined)).toEqual({
      known: true,
      provider: "other",
      tokenizer: "o200k_base",
      safetyFactor: 1,
      preset: "8K",
    });
  });

  test.each(["gpt-99", "", "gpt-45", "gpt-4.9", "o12", "my-gpt-4"])("does not know %j", (name) => {
    const { meant: _, ...resolved } = resolveModel(name);
    expect(resolved).toEqual({
      name,
      known: false,
      provider: "other",
      tokenizer: "o200k_base",
      safetyFactor: 1,
      preset: "8K",
    });
  });

  test.each([
    ["gpt4o", "gpt-4o"],
    ["claude-sonet-4-6", "claude-sonnet-4-6"],
    ["nobody-knows-9000", undefined],
  ])("of %s that it does not know tells which one was meant: %s", (name, meant) => {
    expect(resolveModel(name).meant).toBe(meant);
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
    expect(resolveModel(name)).toMatchObject({
      name,
      known: true,
      provider: "openai",
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

  test.each([
    ["gpt-4o-mini-2024-07-18", "openai", 0.15, 0.075, 0.6],
    ["gpt-5-nano", "openai", 0.05, 0.005, 0.4],
    ["claude-opus-5-5", "anthropic", 4, 0.2, 20],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "anthropic", 3, 0.3, 15],
    ["gemini-3-flash-preview", "google", 0.5, 0.05, 3],
    ["deepseek-chat", "deepseek", 0.28, 0.028, 0.42],
    ["codestral-latest", "mistral", 0.3, 0.3, 0.9],
  ])("knows the prices of %s", (name, provider, input, cachedInput, output) => {
    expect(resolveModel(name)).toMatchObject({ provider, prices: { input, cachedInput, output } });
  });

  test("every price says when and where it was looked up, and cached input is never dearer", () => {
    for (const { model } of models) {
      const { prices } = model;
      if (prices === undefined) continue;
      expect(prices.asOf).toMatch(/^20\d\d-\d\d$/);
      expect(prices.source).not.toBe("");
      expect(prices.cachedInput).toBeLessThanOrEqual(prices.input);
      expect(prices.input).toBeLessThanOrEqual(prices.output);
    }
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

describe("modelRegistry", () => {
  const prices = { input: 1, output: 2 };

  test("adds a model", () => {
    const registry = modelRegistry([
      { name: "acme/Reader", tokenizer: "cl100k_base", contextWindowTokens: 9000, prices },
    ]);
    expect(registry.resolve("acme/reader-v2")).toMatchObject({
      known: true,
      provider: "other",
      tokenizer: "cl100k_base",
      safetyFactor: 1,
      preset: "8K",
      contextWindowTokens: 9000,
      prices: { input: 1, cachedInput: 1, output: 2, source: "configuration", approximate: false },
    });
    expect(defaultModelRegistry.resolve("reader").known).toBe(false);
  });

  test("changes a model, and leaves what it does not name", () => {
    const registry = modelRegistry([{ name: "gpt-4o", prices }]);
    expect(registry.resolve("gpt-4o-2024-11-20")).toMatchObject({
      provider: "openai",
      contextWindowTokens: 128_000,
      prices: { input: 1 },
    });
    expect(registry.resolve("gpt-4o-mini").prices?.input).toBe(0.15);
  });

  test("a variant inherits from its family, a tokenizer of its own is exact", () => {
    const registry = modelRegistry([{ name: "qwen3-32b", tokenizerFile: "/models/qwen3/tokenizer.json" }]);
    expect(registry.resolve("Qwen/Qwen3-32B")).toMatchObject({
      provider: "qwen",
      tokenizerFile: "/models/qwen3/tokenizer.json",
      safetyFactor: 1,
    });
    const other = registry.resolve("qwen3-8b");
    expect([other.safetyFactor, other.tokenizerFile]).toEqual([1.25, undefined]);
  });

  test.each<[string, unknown]>([
    ["models", { name: "x" }],
    ["models[0].name", [{}]],
    ["models[0].name", [null]],
    ["models[0].name", [{ name: " " }]],
    ["models[1].price", [{ name: "a" }, { name: "b", price: 1 }]],
    ["models[0].provider", [{ name: "a", provider: "Acme" }]],
    ["models[0].tokenizer", [{ name: "a", tokenizer: "p50k_base" }]],
    ["models[0].tokenizerFile", [{ name: "a", tokenizerFile: "" }]],
    ["models[0].safetyFactor", [{ name: "a", safetyFactor: 0 }]],
    ["models[0].safetyFactor", [{ name: "a", safetyFactor: Number.NaN }]],
    ["models[0].preset", [{ name: "a", preset: "16K" }]],
    ["models[0].contextWindowTokens", [{ name: "a", contextWindowTokens: -1 }]],
    ["models[0].maxOutputTokens", [{ name: "a", maxOutputTokens: 1.5 }]],
    ["models[0].prices", [{ name: "a", prices: 1 }]],
    ["models[0].prices.output", [{ name: "a", prices: { input: 1 } }]],
    ["models[0].prices.input", [{ name: "a", prices: { input: -1, output: 1 } }]],
    ["models[0].prices.cachedInput", [{ name: "a", prices: { input: 1, cachedInput: Number.NaN, output: 1 } }]],
    ["models[0].prices.asOf", [{ name: "a", prices: { input: 1, output: 1, asOf: 2026 } }]],
  ])("refuses %s", (field, additions) => {
    expect(() => modelRegistry(additions as readonly ModelAddition[])).toThrow(
      expect.objectContaining({ reason: "INVALID_CONFIGURATION", field }),
    );
  });

  test("a tokenizer file is read by the function given for it", async () => {
    const resolved = modelRegistry([{ name: "mine", tokenizerFile: "t.json" }]).resolve("mine");
    const read: string[] = [];
    const counter = await loadModelCounter(resolved, async (path) => {
      read.push(path);
      return approxTokenCounter;
    });
    expect([counter.id, read]).toEqual(["approx", ["t.json"]]);
    await expect(loadModelCounter(resolved)).rejects.toMatchObject({ reason: "INVALID_CONFIGURATION" });
  });
});
