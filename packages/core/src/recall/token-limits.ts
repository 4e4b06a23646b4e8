import type { RecallHit } from "@loci/domain";
import type { TokenCounter } from "../tokens/token-counter.ts";

export interface TokenLimits {
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  /** A longer text is cut to this, or to `maxTokens` when that is less. */
  readonly maxTokensPerMemory: number;
}

/** What a text came to. */
export type MeasuredText = Pick<RecallHit, "text" | "tokens" | "truncated">;

/**
 * Cuts each text to the limit for one memory, and keeps, best first, the hits that together stay within the limit for
 * all. One that does not fit any more is left out; a shorter one behind it may still fit.
 */
export function applyTokenLimits<Hit extends Pick<RecallHit, "memory">>(
  hits: readonly Hit[],
  { maxTokens, maxTokensPerMemory }: TokenLimits,
  counter: TokenCounter,
): { readonly kept: readonly (Hit & MeasuredText)[]; readonly overTokens: readonly Hit[] } {
  const kept: (Hit & MeasuredText)[] = [];
  const overTokens: Hit[] = [];
  const most = Math.min(maxTokens, maxTokensPerMemory);
  let left = maxTokens;
  for (const hit of hits) {
    const measured = measureText(hit.memory.text, most, counter);
    if (measured.text === "" || measured.tokens > left) overTokens.push(hit);
    else {
      left -= measured.tokens;
      kept.push({ ...hit, ...measured });
    }
  }
  return { kept, overTokens };
}

function measureText(text: string, maxTokens: number, counter: TokenCounter): MeasuredText {
  const tokens = counter.count(text);
  if (tokens <= maxTokens) return { text, tokens, truncated: false };
  const cut = counter.fit(text, maxTokens);
  return { text: cut, tokens: counter.count(cut), truncated: true };
}
