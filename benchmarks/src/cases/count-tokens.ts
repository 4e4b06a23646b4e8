import { loadTokenCounter, TokenCountCache } from "@loci/core";
import { prose } from "../data/prose.ts";
import type { BenchmarkCase } from "../measure/benchmark-case.ts";

const nothingToClose = { [Symbol.asyncDispose]: () => Promise.resolve() };

export const countTokens: BenchmarkCase = {
  name: "count-tokens-2k",
  description: "Count a text of about 2,000 tokens with o200k_base, seen for the first time",
  target: { p50: 3000 },
  publishedClaim: "< 5 ms, cached tokenizer",
  open: async () => {
    const counter = await loadTokenCounter("o200k_base");
    let seed = 0;
    const texts = Array.from({ length: 64 }, () => prose(++seed, 118));
    return { run: () => counter.count(texts[seed++ % texts.length] ?? ""), ...nothingToClose };
  },
};

export const countKnownTokens: BenchmarkCase = {
  name: "count-tokens-known",
  description: "The same text again, known by id and version",
  target: { p50: 5 },
  open: async () => {
    const counter = await loadTokenCounter("o200k_base");
    const cache = new TokenCountCache();
    const text = prose(1, 118);
    return { run: () => cache.count(counter, text, { id: "memory", version: 1 }), ...nothingToClose };
  },
};
