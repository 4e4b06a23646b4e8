import type { CachePlan } from "@loci/domain";
import { blockSeparator } from "../rendering/context-format.ts";
import type { FittedSection } from "./section-draft.ts";
import type { TokenMeter } from "./token-meter.ts";

/** Finds how far the text stays the same from call to call: up to the first recalled or conversational item. */
export function planCache(
  text: string,
  fitted: readonly FittedSection[],
  meter: TokenMeter,
  sha256: (text: string) => string,
): CachePlan {
  let length = 0;
  let tokens = 0;
  let breakpointAfter: string | undefined;
  for (const block of fitted.flatMap(({ blocks }) => blocks)) {
    const isStable = block.stableLength === block.text.length;
    tokens += block.stableTokens;
    length += block.stableLength;
    if (!isStable) break;
    breakpointAfter = block.name;
    length += blockSeparator.length;
    tokens += block.separatorTokens;
  }
  const prefix = text.slice(0, length);
  return {
    stablePrefixHash: sha256(prefix),
    stablePrefixTokens: meter.partsAddUp ? tokens : meter.counter.count(prefix),
    stablePrefixLength: length,
    ...(breakpointAfter === undefined ? {} : { breakpointAfter }),
  };
}
