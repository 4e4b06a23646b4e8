import { lastGraphemeBoundary } from "./grapheme-boundary.ts";
import type { TokenCounter } from "./token-counter.ts";

const unitsPerToken = 4;

/** One token for every four UTF-16 units, the last four begun counting whole. Needs no vocabulary. */
export const approxTokenCounter: TokenCounter = {
  id: "approx",
  estimated: false,
  count(text) {
    return Math.ceil(text.length / unitsPerToken);
  },
  fit(text, maxTokens) {
    const units = Math.floor(maxTokens) * unitsPerToken;
    if (!(units > 0)) return "";
    return units >= text.length ? text : text.slice(0, lastGraphemeBoundary(text, units));
  },
};
