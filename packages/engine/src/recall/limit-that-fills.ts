import type { RecallCandidate } from "@loci/core";
import { utf8ByteLength } from "@loci/domain";
import type { CheckedRecallRequest } from "./validate-recall-request.ts";

/** Of any language, rather too many. */
const bytesPerToken = 4;
/** What stands around a text in a context: its tags, its category and where it is from. */
const tokensAround = 12;
/** A quarter more than have room by the mean: where one has none, a smaller one may have. */
const spare = 1.25;
/** Of the candidates at most so many get a place: what the searches did not bring may be better than the rest. */
const mostOfCandidates = 1 / 2;

/**
 * How many places it takes to fill `maxTokens`, by the sizes of what was found: at least `limit`, and no more than the
 * candidates are enough for. To recall once more takes as long again, and most contexts would for the last few.
 */
export function limitThatFills(
  candidates: readonly Pick<RecallCandidate, "memory">[],
  { limit, maxTokens, maxTokensPerMemory }: Pick<CheckedRecallRequest, "limit" | "maxTokens" | "maxTokensPerMemory">,
): number {
  let tokens = 0;
  let count = 0;
  for (const { memory } of candidates) {
    if (memory.category === "procedure") continue;
    tokens += tokensAround + tokensOf(memory.text, maxTokensPerMemory);
    count++;
  }
  const most = Math.floor(mostOfCandidates * count);
  if (most <= limit) return limit;
  return Math.max(limit, Math.min(most, Math.ceil((spare * maxTokens * count) / tokens)));
}

function tokensOf(text: string, most: number): number {
  // Has at least as many bytes.
  const isCut = text.length > bytesPerToken * most;
  return isCut ? most : Math.min(most, utf8ByteLength(text) / bytesPerToken);
}
