import { approxTokenCounter } from "./approx-token-counter.ts";
import { BytePairCounter } from "./byte-pair-counter.ts";
import { packTokens, takeTokens, type TokenText, type WrittenTokens } from "./packed-tokens.ts";
import { cl100kSplitPattern, o200kSplitPattern } from "./split-patterns.ts";
import { PatternSplitter } from "./text-splitter.ts";
import type { TokenCounter } from "./token-counter.ts";
import { Vocabulary } from "./vocabulary.ts";

/** How texts are counted: `approx` is length / 4, the others are exact. */
export type TokenizerId = "approx" | "o200k_base" | "cl100k_base";

const loading = new Map<TokenizerId, Promise<TokenCounter>>();

/** The counter of a tokenizer. Its vocabulary is loaded when first asked for, and once. */
export function loadTokenCounter(id: TokenizerId): Promise<TokenCounter> {
  let counter = loading.get(id);
  if (counter === undefined) {
    counter = load(id);
    loading.set(id, counter);
  }
  return counter;
}

async function load(id: TokenizerId): Promise<TokenCounter> {
  switch (id) {
    case "approx":
      return approxTokenCounter;
    case "o200k_base": {
      const { default: tokens } = await import("#vocabulary/o200k_base");
      return tiktokenCounter(id, tokens, o200kSplitPattern);
    }
    case "cl100k_base": {
      const { default: tokens } = await import("#vocabulary/cl100k_base");
      return tiktokenCounter(id, tokens, cl100kSplitPattern);
    }
  }
}

/** @param tokens from source the list as it comes; a build has written them */
function tiktokenCounter(
  id: TokenizerId,
  tokens: readonly TokenText[] | WrittenTokens,
  splitPattern: string,
): TokenCounter {
  const encoding = new Vocabulary("tokens" in tokens ? takeTokens(tokens) : packTokens(tokens));
  // No piece of either split pattern goes on behind a line break, except with white space or `/`.
  return new BytePairCounter({ id, encoding, splitter: new PatternSplitter(splitPattern), joinsAtLineStarts: true });
}
