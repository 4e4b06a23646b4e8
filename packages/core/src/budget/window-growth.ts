import type { WindowPlan } from "./window.ts";

/**
 * The bases of sections that asked for more than they have, lowered to what the window holds: the last in rank first, none
 * below what it has without. One that is never cut keeps what it asks for, as long as the window has that much.
 */
export function basesWithinGrowth(sections: readonly GrowingSection[], sectionsTokens: number): readonly number[] {
  const bases = sections.map(({ wantedTokens }) => wantedTokens);
  let excess = sum(bases) - sectionsTokens;
  const lastFirst = sections
    .map((section, index) => ({ ...section, index }))
    .toSorted((left, right) => right.rank - left.rank || right.index - left.index);
  for (const { index, baseTokens, wantedTokens, isNeverCut } of lastFirst) {
    if (excess <= 0) break;
    if (isNeverCut) continue;
    const taken = Math.min(excess, Math.max(0, wantedTokens - baseTokens));
    bases[index] = wantedTokens - taken;
    excess -= taken;
  }
  return bases;
}

/** A section whose base may be larger than the window's preset has it. */
export interface GrowingSection {
  readonly rank: number;
  /** What the preset has for it. */
  readonly baseTokens: number;
  /** At least `baseTokens`. */
  readonly wantedTokens: number;
  readonly isNeverCut: boolean;
}

/** What is given beyond the budgets of a window, in tokens. */
export interface GivenExcess {
  readonly sections: number;
  readonly query: number;
}

/** The same window, larger by what was given beyond its budgets, as far as it may grow: the query first. */
export function grownWindow(plan: WindowPlan, excess: GivenExcess): WindowPlan {
  const { growthTokens = 0, queryTokens, sectionsTokens, totalTokens } = plan;
  const query = Math.min(excess.query, growthTokens);
  const sections = Math.min(excess.sections, growthTokens - query);
  if (query + sections === 0) return plan;
  return {
    ...plan,
    queryTokens: queryTokens + query,
    sectionsTokens: sectionsTokens + sections,
    totalTokens: totalTokens + query + sections,
    growthTokens: growthTokens - query - sections,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0);
}
