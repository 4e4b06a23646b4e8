import type { MemoryRecord, RecallHit } from "@loci/domain";
import type { CountedMemories } from "../tokens/counted-memories.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { foundPassage, type PassageQuestion } from "./found-passage.ts";
import { allSteps, stepLength, type Steps } from "./steps.ts";

export interface TokenLimits {
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  /** A longer text is cut to this, or to `maxTokens` when that is less. */
  readonly maxTokensPerMemory: number;
}

/** What texts are counted with. */
export interface TextMeasure {
  readonly counter: TokenCounter;
  /** Kept from one recall to the next, so that what is known is not counted again. */
  readonly counted?: CountedMemories | undefined;
  /** Which part of a long text is wanted. Absent: its beginning. */
  readonly question?: PassageQuestion | undefined;
}

/** What a text came to. */
export type MeasuredText = Pick<RecallHit, "text" | "tokens" | "truncated">;

/** Hits with what their texts came to, and those that had no room. */
export interface LimitedHits<Hit> {
  readonly kept: readonly (Hit & MeasuredText)[];
  readonly overTokens: readonly Hit[];
}

/**
 * Cuts each text to the limit for one memory, to the passage that the question is about, and keeps, best first, the hits that together stay within the limit for
 * all. One that does not fit any more is left out; a shorter one behind it may still fit.
 */
export function applyTokenLimits<Hit extends { readonly memory: MemoryRecord }>(
  hits: readonly Hit[],
  limits: TokenLimits,
  measure: TextMeasure,
): LimitedHits<Hit> {
  return allSteps(tokenLimitSteps(hits, limits, measure));
}

/** The same, a long text at a time. */
export function* tokenLimitSteps<Hit extends { readonly memory: MemoryRecord }>(
  hits: readonly Hit[],
  { maxTokens, maxTokensPerMemory }: TokenLimits,
  measure: TextMeasure,
): Steps<LimitedHits<Hit>> {
  const kept: (Hit & MeasuredText)[] = [];
  const overTokens: Hit[] = [];
  const most = Math.min(maxTokens, maxTokensPerMemory);
  let left = maxTokens;
  for (const hit of hits) {
    if (hit.memory.text.length > stepLength) yield;
    const measured = measureText(hit.memory, most, measure);
    if (measured.text === "" || measured.tokens > left) overTokens.push(hit);
    else {
      left -= measured.tokens;
      kept.push({ ...hit, ...measured });
    }
  }
  return { kept, overTokens };
}

function measureText(memory: MemoryRecord, maxTokens: number, measure: TextMeasure): MeasuredText {
  const { counter, counted, question } = measure;
  const { text } = memory;
  const tokens = counted === undefined ? counter.count(text) : counted.count(counter, memory);
  if (tokens <= maxTokens) return { text, tokens, truncated: false };
  const cut = foundPassage(text, tokens, maxTokens, counter, question);
  return { text: cut, tokens: counter.count(cut), truncated: true };
}
