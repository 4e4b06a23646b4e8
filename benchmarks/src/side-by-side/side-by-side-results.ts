import { cpus } from "node:os";
import { percentile } from "../measure/percentile.ts";
import type { StepResult } from "./compare-steps.ts";
import type { ContextStep } from "./context-step.ts";

/** How often a step did what is asked of it, over all cases. */
export interface StepSummary {
  readonly step: string;
  readonly description: string;
  readonly cases: number;
  /** Cases with no messages at all: an error, or an empty list. They count as not kept and not within budget. */
  readonly refused: number;
  readonly keepsSystem: number;
  readonly keepsLatestUser: number;
  readonly keepsPairs: number;
  readonly isWithinBudget: number;
  /** Cases with all four. */
  readonly isUsable: number;
  /** Median of tokens / budget, of the cases within budget. */
  readonly budgetUsed: number;
  /** Medians over the cases, in microseconds. */
  readonly firstTime: number;
  readonly againTime: number;
}

/** What `npm run bench:compare` writes. */
export interface SideBySideResults {
  readonly time: string;
  readonly node: string;
  readonly processor: string;
  readonly conversations: readonly { readonly name: string; readonly isReal: boolean; readonly tokens: number }[];
  readonly budgets: readonly number[];
  readonly steps: readonly StepSummary[];
  readonly results: readonly StepResult[];
}

export function sideBySideResults(steps: readonly ContextStep[], results: readonly StepResult[]): SideBySideResults {
  const conversations = new Map(
    results.map(({ conversation, isReal, givenTokens }) => [
      conversation,
      { name: conversation, isReal, tokens: givenTokens },
    ]),
  );
  return {
    time: new Date().toISOString(),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? "unknown",
    conversations: [...conversations.values()],
    budgets: [...new Set(results.map(({ budgetTokens }) => budgetTokens))].toSorted((left, right) => left - right),
    steps: steps.map(({ name, description }) => ({
      step: name,
      description,
      ...summaryOf(results.filter(({ step }) => step === name)),
    })),
    results,
  };
}

function summaryOf(results: readonly StepResult[]): Omit<StepSummary, "step" | "description"> {
  const count = (isCounted: (result: StepResult) => boolean): number => results.filter(isCounted).length;
  const within = results.filter(({ isWithinBudget }) => isWithinBudget);
  return {
    cases: results.length,
    refused: count(({ refusal }) => refusal !== undefined),
    keepsSystem: count(({ keepsSystem }) => keepsSystem),
    keepsLatestUser: count(({ keepsLatestUser }) => keepsLatestUser),
    keepsPairs: count(({ keepsPairs }) => keepsPairs),
    isWithinBudget: within.length,
    isUsable: count((one) => one.keepsSystem && one.keepsLatestUser && one.keepsPairs && one.isWithinBudget),
    budgetUsed: percentile(
      within.map(({ tokens, budgetTokens }) => tokens / budgetTokens),
      0.5,
    ),
    firstTime: percentile(
      results.map(({ firstTime }) => firstTime),
      0.5,
    ),
    againTime: percentile(
      results.map(({ againTime }) => againTime),
      0.5,
    ),
  };
}
