import type { ContextStep, GivenConversation, ReadyStep, StepOutcome } from "./context-step.ts";
import { type Judgement, judgeContext } from "./judge-context.ts";
import { judgedTokens } from "./model-tokens.ts";

/** One step on one conversation and one budget. */
export interface StepResult extends Judgement {
  readonly step: string;
  readonly conversation: string;
  readonly isReal: boolean;
  /** Of the whole conversation. */
  readonly givenTokens: number;
  readonly givenMessages: number;
  readonly budgetTokens: number;
  /**
   * Time of the first call on a conversation, and of the same call again, in microseconds: the least of several, which on
   * a shared machine is closest to the CPU time.
   */
  readonly firstTime: number;
  readonly againTime: number;
}

export interface CompareOptions {
  readonly steps: readonly ContextStep[];
  readonly conversations: readonly GivenConversation[];
  /** In tokens. A conversation that fits a budget as it is is left out for it. */
  readonly budgets: readonly number[];
  /** How often each case is begun anew, and how often it is then run again. */
  readonly openings: number;
  readonly runs: number;
}

/** Runs every step on every conversation in every budget. */
export async function compareSteps(options: CompareOptions): Promise<readonly StepResult[]> {
  const { steps, conversations, budgets } = options;
  const results: StepResult[] = [];
  for (const conversation of conversations) {
    const givenTokens = judgedTokens(conversation.messages);
    for (const budgetTokens of budgets) {
      if (givenTokens <= budgetTokens) continue;
      for (const step of steps) {
        const { outcome, ...times } = await runStep(step, conversation, budgetTokens, options);
        results.push({
          step: step.name,
          conversation: conversation.name,
          isReal: conversation.isReal,
          givenTokens,
          givenMessages: conversation.messages.length,
          budgetTokens,
          ...times,
          ...judgeContext(conversation.messages, outcome, budgetTokens),
        });
      }
    }
  }
  return results;
}

type TimedOutcome = Pick<StepResult, "firstTime" | "againTime"> & { readonly outcome: StepOutcome };

async function runStep(
  step: ContextStep,
  { messages }: GivenConversation,
  budgetTokens: number,
  { openings, runs }: Pick<CompareOptions, "openings" | "runs">,
): Promise<TimedOutcome> {
  let firstTime = Infinity;
  let againTime = Infinity;
  let outcome: StepOutcome = { refusal: "It never ran." };
  for (let opening = 0; opening < openings; opening++) {
    await using ready = await step.open(messages, budgetTokens);
    for (let run = 0; run <= runs; run++) {
      const started = performance.now();
      const result = await resultOf(ready);
      const time = (performance.now() - started) * 1000;
      if (run === 0) firstTime = Math.min(firstTime, time);
      else againTime = Math.min(againTime, time);
      outcome = "refusal" in result ? result : ready.outcomeOf(result.value);
    }
  }
  return { firstTime, againTime, outcome };
}

async function resultOf(ready: ReadyStep): Promise<{ readonly value: unknown } | { readonly refusal: string }> {
  try {
    return { value: await ready.run() };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}
