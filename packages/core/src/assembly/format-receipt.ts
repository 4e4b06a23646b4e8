import type { AssembledContext, ItemReceipt } from "@loci/domain";

/** The receipt as text: a table of the sections, what remains, every warning, every item. Ends with a line break. */
export function formatReceipt(context: Pick<AssembledContext, "receipt" | "usage" | "warnings">): string {
  const { receipt, usage, warnings } = context;
  const lines = [
    `Layout ${receipt.layout}, profile ${receipt.profile}, mode ${receipt.mode}, ${receipt.window.preset} window, ` +
      `${receipt.model === undefined ? "" : `model ${receipt.model}, `}counted with ${receipt.tokenizer}${receipt.estimated ? " (estimated)" : ""}`,
    "",
    ...table([
      ["Section", "Rank", "Tokens", "Budget", "Used"],
      ...receipt.sections.map(({ name, rank, usedTokens, baseTokens, grantedTokens, utilization }) => [
        name,
        String(rank),
        number(usedTokens),
        number(Math.max(baseTokens, grantedTokens)),
        percent(utilization),
      ]),
      [
        "query",
        "",
        number(usage.queryTokens),
        number(receipt.window.queryTokens),
        share(usage.queryTokens, receipt.window.queryTokens),
      ],
      [
        "total",
        "",
        number(usage.totalTokens),
        number(usage.budgetTokens),
        share(usage.totalTokens, usage.budgetTokens),
      ],
    ]),
    "",
    `Unused: ${number(receipt.window.unusedTokens)}. As chat messages: ${number(usage.messagesTokens)}. ` +
      `Reserved for the response: ${number(usage.responseTokens)}; safety buffer: ${number(receipt.window.safetyBufferTokens)}.`,
    ...warnings.map(({ reason, message, advice }) => `Warning ${reason}: ${message} ${advice}`),
    "",
    ...table([
      ["Item", "Section", "Outcome", "Tokens", "Whole", "Score", "Reason", "Source"],
      ...receipt.items.map(itemRow),
    ]),
  ];
  if (receipt.droppedCandidates.length > 0)
    lines.push(
      "",
      ...table([
        ["Not recalled", "Score", "Reason", "In favour of"],
        ...receipt.droppedCandidates.map(({ id, score, reason, inFavourOf = "" }) => [
          id,
          formatScore(score),
          reason,
          inFavourOf,
        ]),
      ]),
    );
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

function itemRow({ id, section, outcome, tokens, wholeTokens, score, reason, source }: ItemReceipt): string[] {
  return [id, section, outcome, number(tokens), number(wholeTokens), formatScore(score), reason ?? "", source ?? ""];
}

function formatScore(score: number | undefined): string {
  return score === undefined ? "" : score.toFixed(3);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "" : percent(part / whole);
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)}%`;
}

/** With commas between the thousands, wherever it is printed. */
function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0)).join("  "));
}

/** Numbers to the right, words to the left. */
function pad(cell: string, width: number): string {
  return /^[\d,.]+%?$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
