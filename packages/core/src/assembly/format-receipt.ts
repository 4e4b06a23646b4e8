import type { AssembledContext, Receipt, TokenUsage } from "@loci/domain";
import { singleLine } from "../rendering/escape.ts";
import { formatMemories, formatNotRecalled, formatTextItems, type ItemPreviews } from "./format-items.ts";
import { memoryLabels } from "./receipt-labels.ts";
import { formatNumber, formatPercent, textTable } from "./text-table.ts";

export interface FormatReceiptOptions {
  /** Texts by item id, whose beginnings are shown. Default none: a receipt may be logged where no text should be. */
  readonly previews?: ItemPreviews | undefined;
}

/**
 * The receipt as text: a table of the sections, what remains, every warning, every item with the parts of its score, what
 * was not recalled. Memories go by what they cite, else by the end of their id. Ends with a line break.
 */
export function formatReceipt(
  context: Pick<AssembledContext, "receipt" | "usage" | "warnings">,
  options: FormatReceiptOptions = {},
): string {
  const { receipt, usage, warnings } = context;
  const { previews = new Map<string, string>() } = options;
  const labelOf = memoryLabels(receipt);
  const parts = [
    [headline(receipt)],
    sectionTable(receipt, usage),
    [
      remainder(receipt, usage),
      ...warnings.map(({ reason, message, advice }) => `Warning ${reason}: ${message} ${advice}`),
    ],
    formatTextItems(receipt, previews),
    formatMemories(receipt, labelOf, previews),
    formatNotRecalled(receipt, labelOf, previews),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function headline({ layout, profile, mode, window, model, tokenizer, estimated }: Receipt): string {
  const named = model === undefined ? "" : `model ${singleLine(model)}, `;
  const counted = `counted with ${tokenizer}${estimated ? " (estimated)" : ""}`;
  return `Layout ${layout}, profile ${profile}, mode ${mode}, ${window.preset} window, ${named}${counted}`;
}

function sectionTable({ sections, window }: Receipt, usage: TokenUsage): string[] {
  return textTable([
    ["Section", "Rank", "Tokens", "Budget", "Used"],
    ...sections.map(({ name, rank, usedTokens, budgetTokens, utilization }) => [
      name,
      String(rank),
      formatNumber(usedTokens),
      formatNumber(budgetTokens),
      formatPercent(utilization),
    ]),
    ["query", "", ...amounts(usage.queryTokens, window.queryTokens)],
    ["total", "", ...amounts(usage.totalTokens, usage.budgetTokens)],
  ]);
}

function amounts(tokens: number, budget: number): readonly string[] {
  return [formatNumber(tokens), formatNumber(budget), budget === 0 ? "" : formatPercent(tokens / budget)];
}

function remainder({ window, check }: Receipt, { messagesTokens, responseTokens }: TokenUsage): string {
  return (
    `Unused: ${formatNumber(window.unusedTokens)}. As chat messages: ${formatNumber(messagesTokens)}. ` +
    `Reserved for the response: ${formatNumber(responseTokens)}; safety buffer: ${formatNumber(window.safetyBufferTokens)}.` +
    (check === undefined
      ? ""
      : ` Checked with ${check.tokenizer}: ${formatNumber(Math.max(check.totalTokens, check.messagesTokens))} of ${formatNumber(check.budgetTokens)}.`)
  );
}
