import { formatScope } from "@loci/domain";
import type { KeptReceiptSummary, ListReceiptsResult } from "@loci/loci";
import { counted, formatInstant, oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

const hourMilliseconds = 3_600_000;
const widestName = 60;

/** The receipts that are kept, a line each, and for how long. */
export function printReceipts({ receipts, keepMilliseconds }: ListReceiptsResult): void {
  for (const summary of receipts) printReceiptSummary(summary);
  if (receipts.length > 0) return;
  printLine(
    keepMilliseconds === 0
      ? 'No receipts are kept here. A server keeps them with [receipts] keep, such as "24h".'
      : `There is no receipt. They are kept for ${Math.round(keepMilliseconds / hourMilliseconds)} h, of contexts whose use counts.`,
  );
}

/** When, for whom, how large, and how many items. */
export function printReceiptSummary(summary: KeptReceiptSummary): void {
  const { id, assembledAt, subject, scopes, session, usage, kept, shortened, dropped, layout, model } = summary;
  const of = session === undefined ? scopes.map(formatScope).join(" ") : `${formatScope(session.scope)} ${session.id}`;
  const tokens = `${usage.totalTokens.toLocaleString("en")} of ${usage.budgetTokens.toLocaleString("en")} tokens`;
  const items = [
    counted(kept, "item"),
    ...(shortened === 0 ? [] : [`${shortened} shortened`]),
    ...(dropped === 0 ? [] : [`${dropped} dropped`]),
  ].join(", ");
  const made = [layout, ...(model === undefined ? [] : [model])].map((name) => oneLine(name, widestName)).join(", ");
  printLine(`${id}  ${formatInstant(assembledAt)}  ${tokens}  ${items}  ${made}`);
  printLine(`  ${oneLine(of === "" ? "no scope" : of, widestName)}  by ${oneLine(subject, widestName)}`);
}
