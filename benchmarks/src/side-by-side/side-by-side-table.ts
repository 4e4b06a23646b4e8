import { alignColumns } from "../report/align-columns.ts";
import { formatTime } from "../report/format-table.ts";
import type { SideBySideResults, StepSummary } from "./side-by-side-results.ts";

/** The heading of every column, and what it holds for a step. */
export const summaryColumns: readonly (readonly [heading: string, cell: (summary: StepSummary) => string])[] = [
  ["", ({ step }) => step],
  ["system kept", ({ keepsSystem, cases }) => `${keepsSystem}/${cases}`],
  ["latest user message", ({ keepsLatestUser, cases }) => `${keepsLatestUser}/${cases}`],
  ["tool pairs whole", ({ keepsPairs, cases }) => `${keepsPairs}/${cases}`],
  ["within budget", ({ isWithinBudget, cases }) => `${isWithinBudget}/${cases}`],
  ["all four", ({ isUsable, cases }) => `${isUsable}/${cases}`],
  ["no messages", ({ refused }) => String(refused)],
  ["of the budget", ({ budgetUsed }) => (Number.isNaN(budgetUsed) ? "" : `${(budgetUsed * 100).toFixed(0)}%`)],
  ["first call", ({ firstTime }) => formatTime(firstTime)],
  ["again", ({ againTime }) => formatTime(againTime)],
];

/** Tables for a terminal: each step over all cases, then every case in which one of them failed. */
export function sideBySideTable({ steps, results, conversations, budgets }: SideBySideResults): string {
  const real = conversations.filter(({ isReal }) => isReal).length;
  const failures = results.filter((result) => faultsOf(result).length > 0);
  return [
    `${conversations.length} conversations (${real} real) in budgets of ${budgets.join(", ")} tokens`,
    "",
    ...alignColumns([summaryColumns.map(([heading]) => heading), ...steps.map(cellsOf)]),
    "",
    ...(failures.length === 0
      ? []
      : alignColumns([
          ["What failed", "conversation", "budget", "tokens", "why"],
          ...failures.map((result) => [
            result.step,
            result.conversation,
            String(result.budgetTokens),
            String(result.tokens),
            faultsOf(result).join(", "),
          ]),
        ])),
    "",
    ...steps.map(({ step, description }) => `${step}: ${description}`),
  ].join("\n");
}

/** What is wrong with one result, in words. */
export function faultsOf(result: SideBySideResults["results"][number]): readonly string[] {
  if (result.refusal !== undefined) return [`no messages: ${result.refusal}`];
  return [
    ...(result.keepsSystem ? [] : ["the system prompt is gone"]),
    ...(result.keepsLatestUser ? [] : ["the user's latest message is gone"]),
    ...(result.keepsPairs ? [] : ["a tool call and its result are parted"]),
    ...(result.isWithinBudget ? [] : [`over budget by ${result.tokens - result.budgetTokens}`]),
  ];
}

function cellsOf(summary: StepSummary): readonly string[] {
  return summaryColumns.map(([, cell]) => cell(summary));
}
