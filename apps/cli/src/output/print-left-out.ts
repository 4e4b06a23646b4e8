import type { DroppedCandidate } from "@loci/domain";
import { oneLine } from "./format-text.ts";
import { printLine } from "./terminal.ts";

/** So many are shown one by one; a store of some size leaves out hundreds. */
const mostShown = 10;

/** Those that are shown one by one: the best by score, and what was dropped before it had one behind them. */
export function shownOfLeftOut(dropped: readonly DroppedCandidate[]): readonly DroppedCandidate[] {
  return dropped.toSorted((left, right) => (right.score ?? -1) - (left.score ?? -1)).slice(0, mostShown);
}

/** Prints how many were left out for which reason, and the best of them with their texts, as far as there are any. */
export function printLeftOut(dropped: readonly DroppedCandidate[], texts: ReadonlyMap<string, string>): void {
  const counts = new Map<string, number>();
  for (const { reason } of dropped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const summary = Array.from(counts, ([reason, count]) => `${count} ${reason}`).join(", ");
  printLine(`Left out: ${dropped.length}${summary === "" ? "" : ` (${summary})`}`);

  const shown = shownOfLeftOut(dropped);
  const width = Math.max(0, ...shown.map(({ reason }) => reason.length));
  for (const { id, reason, score, inFavourOf } of shown) {
    const favoured = inFavourOf === undefined ? "" : `  in favour of ${inFavourOf}`;
    const text = texts.get(id);
    printLine(`  ${score?.toFixed(3) ?? "     "}  ${reason.padEnd(width)}  ${id}${favoured}`);
    if (text !== undefined) printLine(`         ${oneLine(text, 110)}`);
  }
  if (dropped.length > shown.length) printLine(`  and ${dropped.length - shown.length} more: --json has all of them`);
}
