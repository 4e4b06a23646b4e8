import type { Memory } from "@loci/domain";
import { applyTokenLimits, type TextMeasure } from "../recall/token-limits.ts";
import type { ShownMemory } from "./memory-item.ts";
import { markOutdatedValues } from "./outdated-values.ts";
import { compareStanding, withoutOverridden } from "./standing.ts";

export interface StandingLimits {
  /** Most tokens of all texts together. */
  readonly maxTokens: number;
  /** A longer text is cut to this. */
  readonly maxTokensPerMemory: number;
}

/** Memories that stand whatever the query says, in their order, as long as they are together within the limits. */
export function standingMemories(
  memories: readonly Memory[],
  limits: StandingLimits,
  measure: TextMeasure,
): readonly ShownMemory[] {
  const ordered = withoutOverridden(memories).toSorted(compareStanding);
  const { kept } = applyTokenLimits(
    ordered.map((memory) => ({ memory })),
    limits,
    measure,
  );
  return markOutdatedValues(kept.map(({ memory, text, truncated }) => ({ memory, text, truncated })));
}
